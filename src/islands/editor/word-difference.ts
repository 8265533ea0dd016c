import { diffArrays } from 'diff';

/** A stretch of two texts: in both, or in one of them. */
export interface Part {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Texts that share little would take minutes: what is not found in this time differs as a whole. */
const LINES_MS = 600;
/** For the words of one change, and of all changes of a text. */
const WORDS_MS = 100;
const ALL_WORDS_MS = 300;
/** Of changes that are longer, words say nothing any more. */
const WORDS_LENGTH = 20_000;
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** What of `before` and `after` is the same and what differs: by lines, and by words in changed lines. */
export function wordDifference(before: string, after: string): Part[] {
  const parts: Part[] = [];
  const lines = lineDifference(before, after);
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

/** What of `before` and `after` is the same and what differs, by whole lines. */
export const lineDifference = (before: string, after: string): Part[] =>
  difference(linesOf(before), linesOf(after), LINES_MS);

/**
 * Tells the difference of two texts by words, Chinese ones too, for every change of one comparison: what is
 * long, or comes when the time for all is spent, differs as a whole.
 */
export function wordMarker(): (before: string, after: string) => Part[] {
  const end = Date.now() + ALL_WORDS_MS;
  return (before, after) => {
    const time = Math.min(WORDS_MS, end - Date.now());
    if (time <= 0 || before.length + after.length > WORDS_LENGTH) return asWhole([before], [after]);
    return difference(wordsOf(before), wordsOf(after), time);
  };
}

/** Lines of a text, each with its end. */
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

/** All of it differs, but for what both begin and end with. */
function asWhole(before: string[], after: string[]): Part[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const between = (all: string[]) => all.slice(head, all.length - tail).join('');
  const parts: Part[] = [
    { kind: 'same', text: before.slice(0, head).join('') },
    { kind: 'removed', text: between(before) },
    { kind: 'added', text: between(after) },
    { kind: 'same', text: before.slice(before.length - tail).join('') },
  ];
  return parts.filter(({ text }) => text !== '');
}
