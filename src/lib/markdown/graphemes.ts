let segmenter: Intl.Segmenter | undefined;

// One character on screen can be thousands of code units (stacked marks); no emoji needs more than this.
const MAX_UNITS = 16;

/**
 * The first `limit` characters of `text` as a reader counts them: emoji sequences and combining marks are never split.
 * @param limit number of graphemes; the answer is at most 16 times as many UTF-16 units
 */
export function takeGraphemes(text: string, limit: number): string {
  return take(text, limit, limit * MAX_UNITS);
}

/** As many whole graphemes of `text` as fit into `units` UTF-16 units. */
export function takeUnits(text: string, units: number): string {
  return take(text, units, units);
}

function take(text: string, limit: number, units: number): string {
  if (text.length <= Math.min(limit, units)) return text;
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'grapheme' });
  let end = 0;
  let count = 0;
  // One character more than may be taken, so that the last one taken is known to be whole.
  for (const { index, segment } of segmenter.segment(text.slice(0, units + MAX_UNITS))) {
    if (count === limit || index + segment.length > units) break;
    count += 1;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
