import { fold } from './fold.ts';
import { combinations } from '../query.ts';
import { namesOf, type FoundHead, type IndexReader } from '../reader.ts';

/** Number of articles whose names are compared, and maximum number of suggestions. */
const MAX_CANDIDATES = 100;
const MAX_SUGGESTIONS = 3;
const MAX_WORD_CHARACTERS = 30;
const MAX_PARTS = 6;

/**
 * Returns spelling suggestions for `words` (folded) without hits, likeliest first: replaces the first unknown
 * word with words from titles, tags and author names that differ in one or two characters.
 */
export async function findSimilar(reader: IndexReader, words: readonly string[]): Promise<string[]> {
  for (const [index, word] of words.entries()) {
    const { length } = word;
    if (length < 2 || length > MAX_WORD_CHARACTERS) continue;
    if ((await reader.count({ words: [word], labels: [] })) > 0) continue;
    const near = await wordsNear(reader, word);
    return near.slice(0, MAX_SUGGESTIONS).map((other) => words.with(index, other).join(' '));
  }
  return [];
}

async function wordsNear(reader: IndexReader, word: string): Promise<string[]> {
  const heads = await reader.heads(await documentsNear(reader, partsOf(word)));
  const most = word.length < 5 ? 1 : 2;
  const found = new Map<string, { distance: number; count: number }>();
  for (const candidate of heads.flatMap((head) => [...candidatesOf(head, word)])) {
    const known = found.get(candidate);
    if (known) known.count += 1;
    else {
      const distance = distanceOf(word, candidate, most);
      if (distance > 0 && distance <= most) found.set(candidate, { distance, count: 1 });
    }
  }
  return (
    [...found]
      .sort(
        ([a, one], [b, other]) =>
          one.distance - other.distance ||
          Math.abs(a.length - word.length) - Math.abs(b.length - word.length) ||
          other.count - one.count ||
          (a < b ? -1 : 1),
      )
      .map(([candidate]) => candidate)
      // Drops 程池 when 线程池 is a candidate.
      .filter((candidate, index, all) => !all.slice(0, index).some((better) => better.includes(candidate)))
  );
}

/** Returns pieces of a word that may survive a typing error: two Chinese characters, three Latin letters. */
function partsOf(word: string): string[] {
  const size = /^[\x20-\x7e]+$/.test(word) ? 3 : word.length < 4 ? 1 : 2;
  if (word.length <= size) return [word.slice(0, -1), word.slice(1)];
  const starts = Array.from({ length: word.length - size + 1 }, (_, at) => at);
  const step = Math.max(1, Math.ceil(starts.length / MAX_PARTS));
  return [...new Set(starts.filter((at) => at % step === 0).map((at) => word.slice(at, at + size)))].filter(
    (part) => !/\s/u.test(part) && part.isWellFormed(),
  );
}

async function documentsNear(reader: IndexReader, parts: readonly string[]): Promise<number[]> {
  const found = new Set<number>();
  for (let least = parts.length; least > 0 && found.size < MAX_CANDIDATES; least -= 1) {
    if (combinations(parts, least).length === 0) continue;
    for (const place of ['titles', 'names'] as const)
      for (const document of await reader.newestOfSome(
        place,
        { words: parts, labels: [] },
        least,
        MAX_CANDIDATES,
      ))
        found.add(document);
  }
  return [...found].slice(0, 2 * MAX_CANDIDATES);
}

function candidatesOf(head: FoundHead, word: string): Set<string> {
  const isLatin = /^[\x20-\x7e]+$/.test(word);
  const candidates = new Set<string>();
  for (const name of [head.title, ...namesOf(head)].map(fold)) {
    if (isLatin) for (const [run] of name.matchAll(/[a-z0-9][a-z0-9+#._-]*/g)) candidates.add(run);
    else for (const [run] of name.matchAll(/[\p{L}\p{N}]+/gu)) addPieces(candidates, run, word);
  }
  return candidates;
}

/**
 * Adds pieces of `run` of similar length that share the first or last character of `word`: a typing error
 * usually leaves one end intact.
 */
function addPieces(candidates: Set<string>, run: string, word: string): void {
  for (let length = word.length - 1; length <= word.length + 1; length += 1)
    for (let start = 0; start + length <= run.length; start += 1) {
      const piece = run.slice(start, start + length);
      const isLike = piece[0] === word[0] || piece.at(-1) === word.at(-1);
      if (isLike && piece.isWellFormed()) candidates.add(piece);
    }
}

/** Returns the edit distance (insertions, deletions, replacements, swaps), at most `most + 1`. */
function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(before, j - 2) + 1);
      row.push(best);
    }
    [before, last] = [last, row];
  }
  return Math.min(at(last, b.length), most + 1);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
