import type { Root, RootContent } from 'hast';

/**
 * The line of `source` (from 1) at which each element at the top of `tree` begins; null for the footnotes.
 * @param tree made of `withoutFold`, `source` without its 阅读全文 lines
 */
export function blockLines(tree: Root, source: string, withoutFold: string): (number | null)[] {
  const lineIn = linesBefore(source, withoutFold);
  return startLines(tree.children).map((line) => line && lineIn(line));
}

/** The line of the text that `nodes` were made of at which each element among them begins, if any. */
export function startLines(nodes: readonly RootContent[]): (number | null)[] {
  return nodes
    .filter((node) => node.type === 'element')
    .map((node) => {
      // A box put around a block (a wide table) has no place of its own.
      return (node.position ?? node.children[0]?.position)?.start.line ?? null;
    });
}

/** Tells which line of `source` a line of `withoutFold` was. */
export function linesBefore(source: string, withoutFold: string): (line: number) => number {
  if (withoutFold === source) return (line) => line;
  const origin = matchLines(source, withoutFold);
  return (line) => origin[line - 1] ?? line;
}

/** For each line of `shortened`, that of `source`: only 阅读全文 and empty lines are missing. */
function matchLines(source: string, shortened: string): number[] {
  const lines = source.split('\n').map((line) => line.trimEnd());
  let next = 0;
  return shortened.split('\n').map((line) => {
    const text = line.trimEnd();
    const found = text === '' ? -1 : lines.indexOf(text, next);
    if (found >= 0) next = found + 1;
    return next;
  });
}
