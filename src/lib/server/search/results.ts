import { LRUCache } from 'lru-cache';

/** Hits by tier, newest first in each: all words in the title; all in title and tags; the others. */
export type Tiers = [Float64Array, Float64Array, Float64Array];

/** What a query found, kept while the articles change. Numbers are documents, larger is newer. */
export interface Result {
  words: readonly string[];
  tiers: Tiers;
  /** The looser hits, once asked for. */
  loose: { words: readonly string[]; documents: readonly number[] } | undefined;
}

/** A document's folded fields. */
export interface FoldedDocument {
  title: string;
  tags: string;
  text: string;
}

const BYTES_KEPT = 32 * 1024 * 1024;
const ENTRY_OVERHEAD = 500;
// Characters compared when a result is brought up to date; beyond it, finding anew is cheaper.
const FOLLOW_BUDGET = 20_000_000;

/** The tier of a document for `words` (folded): 0 to 2, or -1 when it does not hold them all. */
export function tierOf(words: readonly string[], document: FoldedDocument): number {
  let tier = 0;
  for (const word of words) {
    if (document.title.includes(word)) continue;
    if (document.tags.includes(word)) tier = Math.max(tier, 1);
    else if (document.text.includes(word)) tier = 2;
    else return -1;
  }
  return tier;
}

/** Builds tiers from sorted lists (newest first) of the documents that hold all words in the title, in title and tags, anywhere. */
export function tiersOf(title: Float64Array, heads: Float64Array, anywhere: Float64Array): Tiers {
  return [title, without(heads, title), without(anywhere, heads)];
}

/** `page` of `pageSize` documents over tiers and looser hits, clamped to the last page. */
export function pageOf(
  result: Result,
  page: number,
  pageSize: number,
): { documents: number[]; total: number; page: number } {
  const loose = result.loose?.documents ?? [];
  const total = exactTotal(result) + loose.length;
  const actual = Math.max(1, Math.min(page, Math.ceil(total / pageSize)));
  const documents: number[] = [];
  let skip = (actual - 1) * pageSize;
  for (const list of [...result.tiers, loose]) {
    const take = list.slice(skip, skip + pageSize - documents.length);
    documents.push(...take);
    skip = Math.max(skip - list.length, 0);
    if (documents.length === pageSize) break;
  }
  return { documents, total, page: actual };
}

/** Hits that hold every word. */
export function exactTotal(result: Result): number {
  return result.tiers.reduce((sum, tier) => sum + tier.length, 0);
}

/** Results of recent queries, within 32 MiB. */
export class ResultCache {
  readonly #results = new LRUCache<string, Result>({
    maxSize: BYTES_KEPT,
    sizeCalculation: (result) => ENTRY_OVERHEAD + 8 * exactTotal(result),
  });

  get(key: string): Result | undefined {
    return this.#results.get(key);
  }

  set(key: string, result: Result): void {
    this.#results.set(key, result);
  }

  clear(): void {
    this.#results.clear();
  }

  /** Brings every result up to date after documents changed; null stands for one that is gone. */
  follow(changes: ReadonlyMap<number, FoldedDocument | null>): void {
    let characters = 0;
    for (const document of changes.values()) characters += (document?.text.length ?? 0) + 1000;
    if (characters * this.#results.size > FOLLOW_BUDGET) return this.clear();
    for (const [key, result] of [...this.#results.entries()].toReversed()) {
      const tiers = result.tiers.slice() as Tiers;
      for (const [document, fields] of changes) {
        const tier = fields ? tierOf(result.words, fields) : -1;
        for (const index of [0, 1, 2] as const) tiers[index] = place(tiers[index], document, index === tier);
      }
      this.#results.set(key, { words: result.words, tiers, loose: undefined });
    }
  }
}

/** `list` with or without `document`, as `isMember` says. */
function place(list: Float64Array, document: number, isMember: boolean): Float64Array {
  const at = lowerBound(list, document);
  const isThere = list[at] === document;
  if (isThere === isMember) return list;
  const changed = new Float64Array(list.length + (isMember ? 1 : -1));
  changed.set(list.subarray(0, at));
  if (isMember) changed[at] = document;
  changed.set(list.subarray(isMember ? at : at + 1), isMember ? at + 1 : at);
  return changed;
}

/** First index whose number is not larger than `document`, in a list sorted from large to small. */
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

/** The members of `list` that are not in `removed`; both sorted from large to small. */
function without(list: Float64Array, removed: Float64Array): Float64Array {
  if (removed.length === 0) return list;
  let at = 0;
  return list.filter((document) => {
    while (at < removed.length && (removed[at] as number) > document) at += 1;
    return removed[at] !== document;
  });
}
