import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

const CODE = /^(?:FencedCode|CodeBlock|InlineCode|CodeText|HTMLBlock|CommentBlock)$/;

/** Whether `at` is in code, where signs mean nothing; by what is parsed already, so that no key waits. */
export function isInCode(state: EditorState, at: number): boolean {
  for (let node: { name: string; parent: unknown } | null = syntaxTree(state).resolveInner(at, -1); node;) {
    if (CODE.test(node.name)) return true;
    node = node.parent as typeof node;
  }
  return false;
}
