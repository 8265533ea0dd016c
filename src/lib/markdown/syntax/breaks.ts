import type { PhrasingContent, Root, RootContent } from 'mdast';
import { walk } from '../walk.ts';

/** Remark plugin: a line end within a paragraph becomes a line break, as readers of Chinese sites expect. */
export function remarkBreaks() {
  return (tree: Root): void => {
    walk<RootContent>(tree, (node, index, parent) => {
      if (node.type !== 'text' || !/[\r\n]/.test(node.value)) return;
      const pieces = node.value
        .split(/\r?\n|\r/)
        .flatMap((value, at): PhrasingContent[] => [
          ...(at > 0 ? [{ type: 'break' } as const] : []),
          ...(value === '' ? [] : [{ type: 'text', value } as const]),
        ]);
      parent.children.splice(index, 1, ...pieces);
    });
  };
}
