import type { Link, Root, RootContent } from 'mdast';
import { walk } from './walk.ts';

// What ends a bare address in Chinese text. GFM ends one at white space only, so `见 https://a.cn，然后` would link the sentence.
const END = /[，。；：！？、（）【】「」『』《》〈〉“”‘’…—]/;

/**
 * Plugin: a bare address ends where Chinese punctuation begins; the rest goes back to the text.
 * Links written as `[text](address)` or `<address>` are left alone.
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
      parent.children.splice(index + 1, 0, { type: 'text', value: excess });
    });
  };
}

/** The text of a link that was written as a bare address, else undefined. */
function bareLabel(link: Link): string | undefined {
  const [child] = link.children;
  if (child?.type !== 'text' || link.children.length !== 1 || !link.url.endsWith(child.value))
    return undefined;
  const written = (link.position?.end.offset ?? 0) - (link.position?.start.offset ?? 0);
  return written === child.value.length ? child.value : undefined;
}
