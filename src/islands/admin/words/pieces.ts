/** Cuts a text at the ranges, which may overlap; together, the pieces are the text. */
export function piecesOf(text: string, ranges: readonly { start: number; end: number }[]) {
  const pieces: { start: number; text: string; isFound: boolean }[] = [];
  let at = 0;
  const add = (end: number, isFound: boolean) => {
    if (end > at) pieces.push({ start: at, text: text.slice(at, end), isFound });
    at = Math.max(at, end);
  };
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return pieces;
}
