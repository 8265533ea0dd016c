import { fold } from './text/fold.ts';
import { ENOUGH_EXACT, LOOSE_LIMIT, looseMinimum, looseWords } from './query.ts';
import { compareRanked, scoreHead, scoreText, type Question } from './rank.ts';
import { namesOf, type FoundHead, type IndexReader, type Wanted } from './reader.ts';
import type { AuthorName } from './search.ts';

/**
 * Number of hits whose texts are read for ranking, and characters read of each: an article's subject shows at
 * its beginning, whatever its length. Other hits are ranked by title, names and headings.
 */
const MAX_READ_HITS = 40;
const OPENING_CHARACTERS = 3_000;
const MAX_FACETS = 6;

/**
 * Returns up to 100 documents, without exact hits, that hold all or most of the words cut from the question;
 * those with the words in title or headings come first. With enough exact hits, returns only documents that
 * hold all words there.
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
      // A title may name the subject in one word, with the other words only in the text.
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

/** Filters `documents` to those with `least` or more of `words` in their heads or openings of their texts. */
async function openingWith(
  reader: IndexReader,
  documents: readonly number[],
  words: readonly string[],
  least: number,
): Promise<number[]> {
  const openings = await reader.openings(documents, OPENING_CHARACTERS);
  const holders = (await reader.heads(documents)).filter((head) => {
    const { document, title, headings } = head;
    const seen = fold([title, ...namesOf(head), openings.get(document)].join('\n'));
    return words.filter((word) => seen.includes(word) || headings.includes(word)).length >= least;
  });
  const kept = new Set(holders.map(({ document }) => document));
  return documents.filter((document) => kept.has(document));
}

export async function rank(
  reader: IndexReader,
  question: Question,
  heads: readonly FoundHead[],
): Promise<number[]> {
  const scored = heads
    .map((head) => ({ document: head.document, score: scoreHead(question, head) }))
    .sort(compareRanked);
  const read = scored.slice(0, MAX_READ_HITS);
  const openings = await reader.openings(
    read.map(({ document }) => document),
    OPENING_CHARACTERS,
  );
  const best = read
    .map(({ document, score }) => ({
      document,
      score: score + scoreText(question, openings.get(document) ?? ''),
    }))
    .sort(compareRanked);
  return [...best, ...scored.slice(MAX_READ_HITS)].map(({ document }) => document);
}

export function facetsOf(heads: readonly FoundHead[]): { authors: string[]; tags: string[] } {
  return {
    authors: mostOf(heads.map(({ author }) => author)),
    tags: mostOf(heads.flatMap(({ tags }) => tags)),
  };
}

/** Returns the display names of `authors`; absent if none has one. */
export function authorNamesOf(
  heads: readonly FoundHead[],
  authors: readonly string[],
): { authorNames?: AuthorName[] } {
  const names = new Map(heads.map(({ author, author_name }) => [author, author_name]));
  const authorNames = [...new Set(authors)].flatMap((username) => {
    const display_name = names.get(username) ?? '';
    return display_name === '' ? [] : [{ username, display_name }];
  });
  return authorNames.length === 0 ? {} : { authorNames };
}

function mostOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  // Sorts ties by name, because the engines return rows in different orders.
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, MAX_FACETS)
    .map(([name]) => name);
}
