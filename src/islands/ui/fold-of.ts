/** Visible lines of a folded text. Must match `fold` in article.css. */
const VISIBLE_LINES = 12;
/** Minimum hidden lines that justify folding. */
const MIN_HIDDEN_LINES = 4;
/** Full-width characters per line: on a phone in portrait orientation, and in a full-width column. */
const NARROW_LINE_CHARACTERS = 22;
const WIDE_LINE_CHARACTERS = 35;

/** Characters half as wide as a Chinese one. */
const HALF = /[\u0020-\u02ff]/g;

/**
 * Decides on which screens a text is folded, by an estimate of its lines, because the server cannot measure.
 * @returns 'wide' for all screens, 'narrow' for phones only, '' for none
 */
export function foldOf(text: string): 'wide' | 'narrow' | '' {
  const widths = text.split('\n').map((line) => line.length - (line.match(HALF)?.length ?? 0) / 2);
  const isLong = (perLine: number) =>
    widths.reduce((lines, width) => lines + Math.max(1, Math.ceil(width / perLine)), 0) >=
    VISIBLE_LINES + MIN_HIDDEN_LINES;
  if (isLong(WIDE_LINE_CHARACTERS)) return 'wide';
  return isLong(NARROW_LINE_CHARACTERS) ? 'narrow' : '';
}
