import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

const CODE = /^(?:FencedCode|CodeBlock|InlineCode|CodeText|HTMLBlock|CommentBlock)$/;

/**
 * Whether `at` is in code, where triggers have no effect. Uses only what is already parsed, because keys must
 * not wait.
 */
export function isInCode(state: EditorState, at: number): boolean {
  for (let node: { name: string; parent: unknown } | null = syntaxTree(state).resolveInner(at, -1); node;) {
    if (CODE.test(node.name)) return true;
    node = node.parent as typeof node;
  }
  return false;
}
