import { diffArrays } from 'diff';
import { commonEnds } from '../../../lib/shared/common-ends.ts';

export interface Part {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Time limit: comparing very different texts would take minutes. The rest counts as different as a whole. */
const LINES_TIMEOUT_MS = 600;
/** Time limits for the words of one change, and of all changes of a text. */
const WORDS_TIMEOUT_MS = 100;
const ALL_WORDS_TIMEOUT_MS = 300;
/** Maximum characters; a word diff of longer changes is not useful. */
const MAX_WORDS_CHARACTERS = 20_000;
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** Diff of two texts by lines, and by words within changed lines. */
export function wordDifference(before: string, after: string): Part[] {
  const parts: Part[] = [];
  const lines = difference(linesOf(before), linesOf(after), LINES_TIMEOUT_MS);
  const differenceOf = wordMarker();
  for (let at = 0; at < lines.length; at++) {
    const [part, next] = [lines[at], lines[at + 1]];
    if (part?.kind === 'removed' && next?.kind === 'added') {
      parts.push(...differenceOf(part.text, next.text));
      at++;
    } else if (part) parts.push(part);
  }
  return parts;
}

/**
 * Returns a function that diffs changes by words, including Chinese words. Create one per comparison. Long
 * changes, and those after the total time limit, count as different as a whole.
 */
export function wordMarker(): (before: string, after: string) => Part[] {
  const end = Date.now() + ALL_WORDS_TIMEOUT_MS;
  return (before, after) => {
    const time = Math.min(WORDS_TIMEOUT_MS, end - Date.now());
    if (time <= 0 || before.length + after.length > MAX_WORDS_CHARACTERS) return asWhole([before], [after]);
    return difference(wordsOf(before), wordsOf(after), time);
  };
}

/** Splits a text into lines, including their line breaks. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
const wordsOf = (text: string) => Array.from(words.segment(text), ({ segment }) => segment);

function difference(before: string[], after: string[], timeout: number): Part[] {
  const changes = diffArrays(before, after, { timeout });
  if (!changes) return asWhole(before, after);
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

/** Fallback diff: everything between the common start and end differs. */
function asWhole(before: string[], after: string[]): Part[] {
  const { head, tail } = commonEnds(before, after);
  const between = (all: string[]) => all.slice(head, all.length - tail).join('');
  const parts: Part[] = [
    { kind: 'same', text: before.slice(0, head).join('') },
    { kind: 'removed', text: between(before) },
    { kind: 'added', text: between(after) },
    { kind: 'same', text: before.slice(before.length - tail).join('') },
  ];
  return parts.filter(({ text }) => text !== '');
}
