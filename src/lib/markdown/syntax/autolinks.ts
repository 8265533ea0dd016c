import type { Link, PhrasingContent, Root, RootContent } from 'mdast';
import { walk } from '../walk.ts';

// These characters end a bare address in Chinese text. GFM ends one only at white space, so
// `见 https://a.cn，然后` would become a link as a whole.
export const CHINESE_PUNCTUATION = '，。；：！？、（）【】「」『』《》〈〉“”‘’…—';
const END = new RegExp(`[${CHINESE_PUNCTUATION}]`);
const ADDRESS = new RegExp(`https?://[^\\s<${CHINESE_PUNCTUATION}]+`, 'gi');

/**
 * Remark plugin: ends bare addresses at Chinese punctuation; `[text](address)` and `<address>` are left
 * alone.
 */
export function remarkAutolinks() {
  return (tree: Root): void => {
    walk<RootContent>(tree, (link, index, parent) => {
      if (link.type !== 'link') return;
      const label = bareLabel(link);
      const end = label?.search(END) ?? -1;
      if (!label || end < 1) return;
      const excess = label.slice(end);
      link.children = [{ type: 'text', value: label.slice(0, end) }];
      link.url = link.url.slice(0, -excess.length);
      parent.children.splice(index + 1, 0, ...linkAddresses(excess, ADDRESS));
    });
  };
}

function bareLabel(link: Link): string | undefined {
  const [child] = link.children;
  if (child?.type !== 'text' || link.children.length !== 1 || !link.url.endsWith(child.value))
    return undefined;
  const written = (link.position?.end.offset ?? 0) - (link.position?.start.offset ?? 0);
  return written === child.value.length ? child.value : undefined;
}

/** Splits a text at the addresses that the global `pattern` matches, and makes these links. */
export function linkAddresses(text: string, pattern: RegExp): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let position = 0;
  for (const { 0: url, index } of text.matchAll(pattern)) {
    nodes.push({ type: 'text', value: text.slice(position, index) });
    nodes.push({ type: 'link', url, children: [{ type: 'text', value: url }] });
    position = index + url.length;
  }
  nodes.push({ type: 'text', value: text.slice(position) });
  return nodes.filter((node) => node.type !== 'text' || node.value !== '');
}
