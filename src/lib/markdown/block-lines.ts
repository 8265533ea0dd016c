import type { Root } from 'hast';

/**
 * Where each block of a preview comes from: for every element at the top of `tree`, in order, the line of
 * `source` it begins at (counted from 1), or null for what the author wrote elsewhere (the section of
 * footnotes).
 * @param tree made of `withoutFold`, which is `source` without its 阅读全文 lines
 */
export function blockLines(tree: Root, source: string, withoutFold: string): (number | null)[] {
  const origin = withoutFold === source ? undefined : matchLines(source, withoutFold);
  return tree.children
    .filter((node) => node.type === 'element')
    .map((node) => {
      // A box put around a block (a wide table) has no place of its own.
      const line = (node.position ?? node.children[0]?.position)?.start.line;
      return line === undefined ? null : (origin?.[line - 1] ?? line);
    });
}

/**
 * For each line of `shortened`, the line of `source` it is: nothing but 阅读全文 lines and empty ones were taken
 * out.
 */
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
