import type { Html, Root, RootContent } from 'mdast';
import { walk } from './walk.ts';

/** Elements whose content only stands in for them: frames.ts drops it. */
const FRAMES = 'iframe|object|video|audio';
/**
 * Elements that swallow an article where they are left open. In those that GFM disallows all is text for an
 * HTML parser, in `select` it drops every tag, and what is in a `template` stands beside the page.
 */
const NAMES = `title|textarea|style|xmp|noembed|noframes|script|plaintext|select|template|${FRAMES}`;
const TAG = new RegExp(`<(/?)(${NAMES})(?=[\\s/>]|$)`, 'gi');
/** `<iframe … />`, as JSX writes it; attributes are bounded: hostile text takes no quadratic time. */
const SELF_CLOSED = new RegExp(`<(${FRAMES})((?:\\s(?:"[^"]*"|'[^']*'|[^<>"']){0,500}?)?)/>`, 'gi');

/**
 * Plugin: a tag of raw HTML that would swallow what comes after it (`写在 <script> 里`) is text, as it is in
 * GFM. One that is closed, in the same block of HTML or the same paragraph, stays HTML for the sanitiser; a
 * frame may also close itself (`<iframe … />`).
 */
export function remarkOpenTags() {
  return (tree: Root): void => {
    // What is at the top is looked at by itself: previews render an article in parts.
    for (const node of tree.children) if (node.type === 'html') closeOff([node]);
    walk<RootContent>(tree, (node) => {
      if ('children' in node) closeOff(node.children.filter((child) => child.type === 'html'));
    });
  };
}

/** Writes `<` as text in the tags that none of `nodes` closes. */
function closeOff(nodes: readonly Html[]): void {
  const closed = new Set<string>();
  for (const node of nodes) node.value = node.value.replace(SELF_CLOSED, '<$1$2></$1>');
  for (const node of nodes.toReversed()) {
    const open = new Set<number>();
    for (const { 1: slash, 2: tag = '', index } of [...node.value.matchAll(TAG)].toReversed()) {
      const name = tag.toLowerCase();
      if (slash) closed.add(name);
      // Nothing closes `plaintext`.
      else if (name === 'plaintext' || !closed.has(name)) open.add(index);
    }
    node.value = node.value.replace(TAG, (tag: string, _slash, _name, at: number) =>
      open.has(at) ? `&lt;${tag.slice(1)}` : tag,
    );
  }
}
