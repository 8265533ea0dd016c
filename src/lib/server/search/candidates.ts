import { fold } from './fold.ts';
import { ENOUGH_EXACT, LOOSE_LIMIT, looseMinimum, looseWords } from './query.ts';
import { compareRanked, scoreHead, scoreText, type Question } from './rank.ts';
import type { FoundHead, IndexReader, Wanted } from './reader.ts';

/**
 * Texts that are looked into before hits are put in order, and how far: what an article is about stands in
 * its beginning, however long it is. Of others title, names and headings say enough.
 */
const READ = 40;
const OPENING = 3_000;
/** Names that a result can be narrowed to, of each kind. */
const FACETS = 6;

/**
 * Documents that hold all, or most, of the words that the question can be cut into, without its exact hits:
 * 100 at most, those with the words in title or headings first. Where there are enough exact hits only such
 * as have all of them there.
 */
export async function findRelated(
  reader: IndexReader,
  { words, labels }: Wanted,
  question: Question,
  exact: number,
): Promise<number[]> {
  const found = new Set<number>();
  const add = (documents: Iterable<number>) => {
    for (const document of documents) found.add(document);
  };
  const loose = looseWords(words, question.terms);
  if (loose.length === 0) return [];
  const some = (place: 'titles' | 'heads' | 'whole', least: number) =>
    reader.newestOfSome(place, { words: loose, labels }, least, LOOSE_LIMIT);
  if (exact >= ENOUGH_EXACT) {
    const all = question.terms.map(({ text }) => text);
    add(await reader.newest('heads', { words: all, labels }, LOOSE_LIMIT));
  } else {
    const most = looseMinimum(loose.length);
    const steps = [...new Set([loose.length, most])];
    for (const least of steps) add(await some('titles', least));
    if (most > 1 && found.size < LOOSE_LIMIT) {
      // A title may name the subject in one word and leave the rest to the text.
      const others = Array.from(await some('titles', 1)).filter((document) => !found.has(document));
      add(await openingWith(reader, others, loose, most));
    }
    for (const place of ['heads', 'whole'] as const)
      for (const least of steps) if (found.size < 2 * LOOSE_LIMIT) add(await some(place, least));
  }
  if (found.size === 0) return [];
  const isExact = new Set(
    exact < ENOUGH_EXACT
      ? await reader.newest('whole', { words, labels }, exact)
      : await reader.holding([...found], words),
  );
  return [...found].filter((document) => !isExact.has(document)).slice(0, LOOSE_LIMIT);
}

/** Those of `documents` with `least` of `words` in their heads and the beginnings of their texts. */
async function openingWith(
  reader: IndexReader,
  documents: readonly number[],
  words: readonly string[],
  least: number,
): Promise<number[]> {
  const openings = await reader.openings(documents, OPENING);
  const holders = (await reader.heads(documents)).filter(({ document, title, tags, author, headings }) => {
    const seen = fold([title, ...tags, author, openings.get(document)].join('\n'));
    return words.filter((word) => seen.includes(word) || headings.includes(word)).length >= least;
  });
  const kept = new Set(holders.map(({ document }) => document));
  return documents.filter((document) => kept.has(document));
}

/** The documents of `heads` in order, best first. */
export async function rank(
  reader: IndexReader,
  question: Question,
  heads: readonly FoundHead[],
): Promise<number[]> {
  const scored = heads
    .map((head) => ({ document: head.document, score: scoreHead(question, head) }))
    .sort(compareRanked);
  const read = scored.slice(0, READ);
  const openings = await reader.openings(
    read.map(({ document }) => document),
    OPENING,
  );
  const best = read
    .map(({ document, score }) => ({
      document,
      score: score + scoreText(question, openings.get(document) ?? ''),
    }))
    .sort(compareRanked);
  return [...best, ...scored.slice(READ)].map(({ document }) => document);
}

/** The names that most of `heads` have, most first. */
export function facetsOf(heads: readonly FoundHead[]): { authors: string[]; tags: string[] } {
  return {
    authors: mostOf(heads.map(({ author }) => author)),
    tags: mostOf(heads.flatMap(({ tags }) => tags)),
  };
}

function mostOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  // By name where as many have it: engines give rows in different orders.
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, FACETS)
    .map(([name]) => name);
}
