import type { Html, Root, RootContent } from 'mdast';
import { walk } from '../walk.ts';

/** Elements whose content is only a fallback; frames.ts drops it. */
const FRAMES = 'iframe|object|video|audio';
/**
 * Elements that swallow the rest of an article if they are not closed. An HTML parser reads everything in
 * those that GFM disallows as text, drops every tag in `select`, and moves the content of `template` out of
 * the tree.
 */
const NAMES = `title|textarea|style|xmp|noembed|noframes|script|plaintext|select|template|${FRAMES}`;
const TAG = new RegExp(`<(/?)(${NAMES})(?=[\\s/>]|$)`, 'gi');
/**
 * `<iframe … />`, as in JSX. The length of the attributes is bounded to avoid quadratic time on hostile text.
 */
const SELF_CLOSED = new RegExp(`<(${FRAMES})((?:\\s(?:"[^"]*"|'[^']*'|[^<>"']){0,500}?)?)/>`, 'gi');

/**
 * Remark plugin: a raw HTML tag that would swallow what follows it (`写在 <script> 里`) becomes text, as in
 * GFM. A tag that is closed in the same block of HTML or the same paragraph stays HTML for the sanitiser;
 * frames may also close themselves (`<iframe … />`).
 */
export function remarkOpenTags() {
  return (tree: Root): void => {
    // Top-level nodes are checked one by one because previews render an article in parts.
    for (const node of tree.children) if (node.type === 'html') closeOff([node]);
    walk<RootContent>(tree, (node) => {
      if ('children' in node) closeOff(node.children.filter((child) => child.type === 'html'));
    });
  };
}

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
