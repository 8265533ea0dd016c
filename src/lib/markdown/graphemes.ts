let segmenter: Intl.Segmenter | undefined;

// One character on screen can be thousands of code units (stacked marks); no emoji needs more than this.
const MAX_UNITS = 16;

/**
 * The first `limit` characters of `text` as a reader counts them: emoji sequences and combining marks are never split.
 * @param limit number of graphemes; the answer is at most 16 times as many UTF-16 units
 */
export function takeGraphemes(text: string, limit: number): string {
  if (text.length <= limit) return text;
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'grapheme' });
  let end = 0;
  let count = 0;
  for (const { index, segment } of segmenter.segment(text.slice(0, limit * MAX_UNITS + MAX_UNITS))) {
    if (count === limit || index + segment.length > limit * MAX_UNITS) break;
    count += 1;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
