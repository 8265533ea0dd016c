import { isInside, type WordTable } from './word-table.ts';

/** Matches a run of characters that jieba cuts into words, a line end, or any other character. */
const PARTS =
  /[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2ebef}\u{2f800}-\u{2fa1f}a-zA-Z0-9+#&._%-]+|\r\n|./gsu;
const END_OF_LINE = '\r\n';
const ALPHANUMERIC = /^[a-zA-Z0-9]$/;

/**
 * Returns a function that cuts a text into words as jieba does without its hidden Markov model: into the most
 * likely sequence of words in the table, whose numbers are their frequencies.
 */
export function createCutter(table: WordTable): (text: string) => string[] {
  const logOfAll = Math.log(table.numbers().reduce((sum, number) => sum + number, 0));
  const cutPart = (part: string) =>
    part.length === 1 || part === END_OF_LINE ? [part] : joinLetters(likeliest(part, table, logOfAll));
  return (text) => (text.match(PARTS) ?? []).flatMap(cutPart);
}

/** Returns the words with the greatest product of probabilities, computed from the end of the text. */
function likeliest(part: string, table: WordTable, logOfAll: number): string[] {
  const bytes = Buffer.from(part);
  const scores = new Float64Array(bytes.length + 1);
  const ends = new Int32Array(bytes.length);
  let next = bytes.length;
  for (let start = bytes.length - 1; start >= 0; start--) {
    if (isInside(bytes, start)) continue;
    let best = -Infinity;
    table.eachAt(bytes, start, (end, count) => {
      const score = Math.log(count) - logOfAll + (scores[end] ?? 0);
      if (score < best) return;
      best = score;
      ends[start] = end;
    });
    if (best === -Infinity) {
      best = (scores[next] ?? 0) - logOfAll;
      ends[start] = next;
    }
    scores[start] = best;
    next = start;
  }
  const words: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = ends[start] ?? bytes.length;
    words.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return words;
}

/** Joins consecutive single letters and digits into one word. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = [];
  let wasLetter = false;
  for (const word of words) {
    const isLetter = ALPHANUMERIC.test(word);
    if (isLetter && wasLetter) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
    wasLetter = isLetter;
  }
  return joined;
}
