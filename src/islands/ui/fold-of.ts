/** Lines that stay in sight of a folded text; the style sheet says the same (`fold`, article.css). */
const SHOWN = 12;
/** Fewer lines than these are not worth a press. */
const HIDDEN = 4;
/** Full-width characters of a line: on a phone held upright, and in a column of full width. */
const NARROW = 22;
const WIDE = 35;

/** Letters that take half the room of a Chinese character. */
const HALF = /[\u0020-\u02ff]/g;

/**
 * Where a text is so long that it is folded, from an estimate of its lines, as the server cannot measure.
 * @returns 'wide' for every screen, 'narrow' for phones alone, '' for none
 */
export function foldOf(text: string): 'wide' | 'narrow' | '' {
  const widths = text.split('\n').map((line) => line.length - (line.match(HALF)?.length ?? 0) / 2);
  const isLong = (perLine: number) =>
    widths.reduce((lines, width) => lines + Math.max(1, Math.ceil(width / perLine)), 0) >= SHOWN + HIDDEN;
  if (isLong(WIDE)) return 'wide';
  return isLong(NARROW) ? 'narrow' : '';
}
