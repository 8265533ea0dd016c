import { diffArrays } from 'diff';

/** A stretch of two texts: in both, or in one of them. */
export interface Part {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Texts that share little would take minutes: what is not found in this time differs as a whole. */
const LINES_MS = 1_000;
const WORDS_MS = 200;
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** What of `before` and `after` is the same and what differs: by lines, and by words in changed lines. */
export function wordDifference(before: string, after: string): Part[] {
  const parts: Part[] = [];
  const lines = difference(linesOf(before), linesOf(after), LINES_MS);
  for (let at = 0; at < lines.length; at++) {
    const [part, next] = [lines[at], lines[at + 1]];
    if (part?.kind === 'removed' && next?.kind === 'added') {
      parts.push(...difference(wordsOf(part.text), wordsOf(next.text), WORDS_MS));
      at++;
    } else if (part) parts.push(part);
  }
  return parts;
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
const wordsOf = (text: string) => Array.from(words.segment(text), ({ segment }) => segment);

function difference(before: string[], after: string[], timeout: number): Part[] {
  const changes = diffArrays(before, after, { timeout });
  if (!changes)
    return [
      { kind: 'removed', text: before.join('') },
      { kind: 'added', text: after.join('') },
    ];
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}
