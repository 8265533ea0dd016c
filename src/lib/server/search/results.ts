import { LRUCache } from 'lru-cache';
import type { FoldedDocument } from './text/folded-document.ts';
import type { Question } from './rank.ts';
import type { Wanted } from './reader.ts';
import type { AuthorName, SearchPage } from './search.ts';
import { MIB } from '../../contract/rules/units.ts';

/**
 * Hits, newest (largest number) first, in three tiers: all words in the title; in title, names and headings;
 * anywhere. When sorted by time, all are in the last tier.
 */
export type Tiers = readonly [Float64Array, Float64Array, Float64Array];

export interface SearchTerms extends Wanted {
  /** The words as written: traditional and simplified characters differ. */
  forms: readonly string[];
  byTime: boolean;
}

export interface Result {
  asked: SearchTerms;
  /** Number of documents that hold every word. */
  exact: number;
  /** All exact hits, loaded once the query has been repeated. */
  tiers?: Tiers;
  /** Enough of the tiers for their first `limit` documents. */
  newest?: { limit: number; tiers: Tiers };
  /** Ranked hits and looser hits, once loaded. */
  first?: First;
}

/** Documents before and after the exact hits in tier order. */
export interface First {
  question: Question;
  related: ReadonlySet<number>;
  /** The best hits, exact and looser ones, in order. */
  documents: readonly number[];
  /** Looser hits listed after all exact ones. */
  last: readonly number[];
  authors: string[];
  tags: string[];
  authorNames?: AuthorName[];
  named: SearchPage['named'];
}

const MAX_CACHE_BYTES = 32 * MIB;
// Includes up to 800 numbers of the first pages, and the names of hits.
const ENTRY_OVERHEAD_BYTES = 10_000;
// Maximum number of characters compared to update results; beyond it, searching again is cheaper.
const MAX_COMPARED_CHARACTERS = 20_000_000;

/** Returns the tier of a document: 0 to 2, or -1 when it does not match. */
function tierOf({ words, labels, byTime }: SearchTerms, document: FoldedDocument): number {
  const { title, tags, author, headings, text } = document;
  if (labels.length > 0) {
    const own = new Set(document.labels);
    if (!labels.every((label) => own.has(label))) return -1;
  }
  let tier = byTime ? 2 : 0;
  for (const word of words) {
    if (title.includes(word)) continue;
    if ([tags, author, headings].some((field) => field.includes(word))) tier = Math.max(tier, 1);
    else if (text.includes(word)) tier = 2;
    else return -1;
  }
  return tier;
}

export function tiersOf(titles: Float64Array, heads: Float64Array, whole: Float64Array): Tiers {
  return [titles, without(heads, titles), without(whole, heads)];
}

/** Returns the documents from position `from` up to `to` of the concatenated tiers, skipping `without`. */
export function sliceTiers(
  tiers: Tiers,
  from: number,
  to: number,
  without: ReadonlySet<number> = new Set(),
): number[] {
  const found: number[] = [];
  let before = 0;
  for (const tier of tiers) {
    for (const document of tier) {
      if (before >= to) return found;
      if (without.has(document)) continue;
      if (before >= from) found.push(document);
      before += 1;
    }
  }
  return found;
}

/**
 * Caches results of recent queries, up to 32 MiB. When documents change, results with tiers are updated and
 * stay exact; results without are dropped, and only the query is remembered.
 */
export class ResultCache {
  readonly #results = new LRUCache<string, Result>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ tiers }) =>
      ENTRY_OVERHEAD_BYTES + 8 * (tiers?.reduce((sum, tier) => sum + tier.length, 0) ?? 0),
  });
  readonly #asked = new LRUCache<string, true>({ max: 1_000 });
  /** Generation of the index that the results belong to. */
  generation = 0;

  get(key: string): Result | undefined {
    return this.#results.get(key);
  }

  set(key: string, result: Result): void {
    this.#results.set(key, result);
  }

  /** Whether the query was asked before the last changes: then its tiers are worth loading. */
  wasAsked(key: string): boolean {
    return this.#asked.has(key);
  }

  clear(): void {
    for (const key of this.#results.keys()) this.#asked.set(key, true);
    this.#results.clear();
  }

  /** Updates the results after documents changed; null stands for a removed document. */
  follow(changes: ReadonlyMap<number, FoldedDocument | null>): void {
    let characters = 0;
    for (const document of changes.values()) characters += (document?.text.length ?? 0) + 1_000;
    if (characters * this.#results.size > MAX_COMPARED_CHARACTERS) return this.clear();
    for (const [key, { asked, tiers }] of [...this.#results.entries()].toReversed()) {
      if (tiers) {
        const followed = followTiers(asked, tiers, changes);
        this.#results.set(key, {
          asked,
          exact: followed.reduce((sum, tier) => sum + tier.length, 0),
          tiers: followed,
        });
      } else {
        this.#results.delete(key);
        this.#asked.set(key, true);
      }
    }
  }
}

function followTiers(
  asked: SearchTerms,
  tiers: Tiers,
  changes: ReadonlyMap<number, FoldedDocument | null>,
): Tiers {
  let [titles, heads, whole] = tiers;
  for (const [document, fields] of changes) {
    const tier = fields ? tierOf(asked, fields) : -1;
    titles = place(titles, document, tier === 0);
    heads = place(heads, document, tier === 1);
    whole = place(whole, document, tier === 2);
  }
  return [titles, heads, whole];
}

function place(list: Float64Array, document: number, isMember: boolean): Float64Array {
  const at = lowerBound(list, document);
  const isListed = list[at] === document;
  if (isListed === isMember) return list;
  const changed = new Float64Array(list.length + (isMember ? 1 : -1));
  changed.set(list.subarray(0, at));
  if (isMember) changed[at] = document;
  changed.set(list.subarray(isMember ? at : at + 1), isMember ? at + 1 : at);
  return changed;
}

function lowerBound(list: Float64Array, document: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) > document) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the members of `list` that are not in `removed`; both are sorted in descending order. */
function without(list: Float64Array, removed: Float64Array): Float64Array {
  if (removed.length === 0) return list;
  let at = 0;
  return list.filter((document) => {
    while (at < removed.length && (removed[at] as number) > document) at += 1;
    return removed[at] !== document;
  });
}
