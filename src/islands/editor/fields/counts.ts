import { commonEnds } from '../../../lib/shared/common-ends.ts';
import { countWords } from '../../../lib/shared/word-count.ts';

/**
 * Returns a `countWords` for a text being edited. It recounts only lines that differ from the previous text.
 */
export function createWordCounter(): (text: string) => number {
  let before = '';
  let total = 0;
  return (text) => {
    const { head, tail } = commonEnds(before, text);
    // No word continues on the next line.
    const from = text.lastIndexOf('\n', head - 1) + 1;
    const lineEnd = text.indexOf('\n', text.length - tail);
    const rest = lineEnd < 0 ? 0 : text.length - lineEnd;
    const between = (whole: string) => countWords(whole.slice(from, whole.length - rest));
    total += between(text) - between(before);
    before = text;
    return total;
  };
}
