let segmenter: Intl.Segmenter | undefined;

// One character on screen can be thousands of code units (stacked marks); no emoji needs more than this.
const MAX_UNITS = 16;

/** The first `limit` graphemes of `text`, in at most 16 times as many UTF-16 units. */
export function takeGraphemes(text: string, limit: number): string {
  return take(text, limit, limit * MAX_UNITS);
}

/** As many whole graphemes of `text` as fit into `units` UTF-16 units. */
export function takeUnits(text: string, units: number): string {
  return take(text, units, units);
}

// Printable ASCII and Chinese characters: between two of them there is always a boundary (UAX #29).
const PLAIN = /^[\x20-\x7e\u3001-\u3029\u4e00-\u9fff\uff01-\uff60]*$/;

function take(text: string, limit: number, units: number): string {
  const most = Math.min(limit, units);
  if (text.length <= most) return text;
  // Asking the segmenter costs 20 µs, whatever the answer.
  if (PLAIN.test(text.slice(0, most + 1))) return text.slice(0, most);
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

/** `text` without spaces after full-width punctuation, which brings its own room. */
export const closeUpPunctuation = (text: string): string =>
  text.replace(/(?<=[。，、；：！？…）」』》】”]) /g, '');
