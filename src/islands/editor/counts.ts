import { commonEnds } from '../../lib/common-ends.ts';
import { countWords } from '../../lib/markdown/word-count.ts';

/** A `countWords` for a text being written: of the one before, only lines that differ are counted again. */
export function createWordCounter(): (text: string) => number {
  let before = '';
  let total = 0;
  return (text) => {
    const { head, tail } = commonEnds(before, text);
    // No word goes on in the next line.
    const from = text.lastIndexOf('\n', head - 1) + 1;
    const lineEnd = text.indexOf('\n', text.length - tail);
    const rest = lineEnd < 0 ? 0 : text.length - lineEnd;
    const between = (whole: string) => countWords(whole.slice(from, whole.length - rest));
    total += between(text) - between(before);
    before = text;
    return total;
  };
}
