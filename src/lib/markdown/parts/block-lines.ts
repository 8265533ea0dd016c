import type { Root, RootContent } from 'hast';

/**
 * Returns the line of `source` (from 1) at which each top-level element of `tree` begins; null for the
 * footnotes.
 * @param tree rendered from `withoutFold`, which is `source` without its 阅读全文 lines
 */
export function blockLines(tree: Root, source: string, withoutFold: string): (number | null)[] {
  const lineIn = linesBefore(source, withoutFold);
  return startLines(tree.children).map((line) => line && lineIn(line));
}

export function startLines(nodes: readonly RootContent[]): (number | null)[] {
  return nodes
    .filter((node) => node.type === 'element')
    .map((node) => {
      // A wrapper that was added around a block (a wide table) has no position.
      return (node.position ?? node.children[0]?.position)?.start.line ?? null;
    });
}

/** Returns a function that maps a line of `withoutFold` to its line in `source`. */
export function linesBefore(source: string, withoutFold: string): (line: number) => number {
  if (withoutFold === source) return (line) => line;
  const origin = matchLines(source, withoutFold);
  return (line) => origin[line - 1] ?? line;
}

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
