import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import { createPauses } from '../../jobs/pauses.ts';
import type { Place, Wanted } from '../reader.ts';
import { foldDocument, type FoldedDocument } from '../text/folded-document.ts';
import { listArticles, type TailEntry } from './segment-queries.ts';

const MAX_CACHED_CHARACTERS = 8_000_000;
const READ_DOCUMENTS = 200;

/** Folded documents of the tail by number. */
export type Tail = ReadonlyMap<number, FoldedDocument>;

/** Returns a function that loads the documents of the tail; those that did not change are cached. */
export function createTailReader() {
  const cache = new LRUCache<number, FoldedDocument>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ text, headings }) => 1_000 + text.length + headings.length,
  });
  return async function readTail(db: Queryable, entries: readonly TailEntry[]): Promise<Tail> {
    const tail = new Map<number, FoldedDocument>();
    const missing: TailEntry[] = [];
    for (const entry of entries) {
      const known = cache.get(entry.version);
      if (known) tail.set(entry.document, known);
      else missing.push(entry);
    }
    const versions = new Map(missing.map(({ document, version }) => [document, version]));
    const pause = createPauses();
    for (let from = 0; from < missing.length; from += READ_DOCUMENTS) {
      const batch = missing.slice(from, from + READ_DOCUMENTS).map(({ document }) => document);
      for (const article of await listArticles(db, batch)) {
        const folded = foldDocument(article);
        tail.set(article.document, folded);
        cache.set(versions.get(article.document) ?? 0, folded);
        if (pause.isDue()) await pause.take();
      }
    }
    return tail;
  };
}

const FIELDS: Record<Place, (keyof Omit<FoldedDocument, 'labels'>)[]> = {
  titles: ['title'],
  names: ['tags', 'author'],
  heads: ['title', 'tags', 'author', 'headings'],
  whole: ['title', 'tags', 'author', 'headings', 'text'],
};

/** Returns the documents with all labels and at least `least` of the words in `place`. */
export function matchesInTail(tail: Tail, place: Place, { words, labels }: Wanted, least: number): number[] {
  const holds = (document: FoldedDocument, word: string): boolean =>
    FIELDS[place].some((field) => document[field].includes(word));
  return [...tail]
    .filter(
      ([, document]) =>
        labels.every((label) => document.labels.includes(label)) &&
        (words.length === 0 || words.filter((word) => holds(document, word)).length >= least),
    )
    .map(([document]) => document);
}
