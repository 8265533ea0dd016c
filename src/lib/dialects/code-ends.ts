/** Inline or display mathematics. */
export const FORMULA = /\$\$[^$]{1,5000}\$\$|\$(?![\s$])[^$\n]{1,500}\$/g;
const FENCE = /([ \t>]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)/y;

/** Returns the end of fenced code that starts at `start`, the start of a line; `start` for other text. */
export function skipFence(text: string, start: number): number {
  FENCE.lastIndex = start;
  const [, before = '', marks = '', info = ''] = FENCE.exec(text) ?? [];
  const [mark = ''] = marks;
  if (mark === '' || (mark === '`' && info.includes('`'))) return start;
  // Fenced code in a quotation ends with the quotation.
  const orOutside = before.includes('>') ? '|^(?![ \\t]*>)' : '';
  const end = new RegExp(`^[ \\t>]*${mark}{${marks.length},}[ \\t]*$${orOutside}`, 'gm');
  end.lastIndex = FENCE.lastIndex + 1;
  return end.exec(text) ? end.lastIndex : text.length;
}

/** Returns a function from the start of inline code to its end; undefined for other backticks. */
export function createTickEnds(text: string): (start: number) => number | undefined {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  // Backwards: each run of backticks needs the next one of its length in the same paragraph.
  for (const { 0: run, index } of [...text.matchAll(/`+|\n[ \t]*\n/g)].toReversed()) {
    if (run.startsWith('\n')) {
      next.clear();
      continue;
    }
    const end = next.get(run.length);
    if (end !== undefined && text[index - 1] !== '\\') ends.set(index, end);
    next.set(run.length, index + run.length);
  }
  return (start) => ends.get(start);
}
