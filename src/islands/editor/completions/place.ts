import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

const CODE = /^(?:FencedCode|CodeBlock|InlineCode|CodeText|HTMLBlock|CommentBlock)$/;

/**
 * Whether `at` is in a node with such a name. Uses only what is already parsed, because keys must not wait.
 */
export function isInside(state: EditorState, at: number, names: RegExp): boolean {
  const tree = syntaxTree(state);
  let node: typeof tree.topNode | null = tree.resolveInner(at, -1);
  while (node && !names.test(node.name)) node = node.parent;
  return node !== null;
}

/** Whether `at` is in code, where triggers have no effect. */
export const isInCode = (state: EditorState, at: number): boolean => isInside(state, at, CODE);
