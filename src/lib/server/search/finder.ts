import { highlightAll, highlightSnippet } from './highlight.ts';
import { ENOUGH_EXACT, LOOSE_LIMIT, looseMinimum, looseWords, parseKeywords } from './query.ts';
import { ResultCache, sliceTiers, tiersOf, type FoldedDocument, type Result, type Tiers } from './results.ts';
import type { SearchHit, SearchPage, SearchQuery } from './search.ts';

/** Gives the function that cuts a text into words; it loads long, so it is asked for only when needed. */
export type LoadCutter = () => Promise<(text: string) => string[]>;

/** Where words are looked for: in the title, in title and tags, in everything. */
export type Place = 'titles' | 'heads' | 'whole';

/** A public article as a hit shows it. */
export interface FoundArticle {
  document: number;
  id: string;
  title: string;
  text: string;
}

type Answer<T> = T | Promise<T>;

/** What a search asks of an engine, all of it about one snapshot of the index. Lists are newest first. */
export interface IndexReader {
  /** A number that grows with each change of the index. */
  generation(): Answer<number>;
  /** The document of each change after `generation` that is kept; null is a change of everything. */
  changesAfter(generation: number): Answer<readonly (number | null)[]>;
  /** Those of `documents` that are public, folded. */
  folded(documents: readonly number[]): Answer<ReadonlyMap<number, FoldedDocument>>;
  /** How many documents hold every one of `words` (folded). */
  count(words: readonly string[]): Answer<number>;
  /** Documents that hold all `words` in `place`. */
  all(place: Place, words: readonly string[]): Answer<Float64Array>;
  /** The first `limit` of `all`. */
  newest(place: Place, words: readonly string[], limit: number): Answer<Float64Array>;
  /** The newest documents that hold at least `least` of `words` anywhere. */
  newestOfSome(words: readonly string[], least: number, limit: number): Answer<Float64Array>;
  /** Those of `documents` that are public articles, in any order. */
  articles(documents: readonly number[]): Answer<readonly FoundArticle[]>;
}

// Hits up to here are read newest first as far as the page needs; farther pages find all of them.
const STREAMED = 300;
// Changes that kept results follow; after more at once (an import) they are found anew.
const FOLLOWED = 100;

/** Answers searches, whatever the engine, and keeps results of recent ones. */
export function createFinder(loadCutter: LoadCutter) {
  const kept: Kept = { generation: 0, results: new ResultCache() };
  return {
    /** Searches the snapshot that `reader` sees. Several may go on at a time. */
    async find(reader: IndexReader, { keywords, page, pageSize }: SearchQuery): Promise<SearchPage> {
      const generation = await follow(kept, reader);
      const words = parseKeywords(keywords);
      if (words.length === 0) return { hits: [], total: 0, page: 1 };
      let result = await resultOf(kept, generation, reader, words, false);
      if (result.exact < ENOUGH_EXACT) result.loose ??= await findLoose(reader, result, loadCutter);
      const total = result.exact + (result.loose?.documents.length ?? 0);
      const actual = Math.max(1, Math.min(page, Math.ceil(total / pageSize)));
      if (Math.min(actual * pageSize, result.exact) > STREAMED)
        result = await resultOf(kept, generation, reader, words, true);
      const documents = await documentsOf(reader, result, (actual - 1) * pageSize, actual * pageSize);
      return { hits: await hitsOf(reader, result, documents), total, page: actual };
    },
  };
}

/** Results, and the generation they are true of. */
interface Kept {
  generation: number;
  results: ResultCache;
}

/** Brings the kept results to the generation of this snapshot, which it returns. */
async function follow(kept: Kept, reader: IndexReader): Promise<number> {
  const generation = await reader.generation();
  while (kept.generation !== generation) {
    const known = kept.generation;
    const changes = await changesBetween(reader, known, generation);
    // Another search has brought them elsewhere in the meantime.
    if (kept.generation !== known) continue;
    if (changes) kept.results.follow(changes);
    else kept.results.clear();
    kept.generation = generation;
  }
  return generation;
}

/** What changed between generations; null when unknown (so it is of an older one), or too much. */
async function changesBetween(
  reader: IndexReader,
  from: number,
  to: number,
): Promise<Map<number, FoldedDocument | null> | null> {
  const changes = await reader.changesAfter(from);
  const documents = new Set(changes.filter((document) => document !== null));
  const isComplete = changes.length === to - from && !changes.includes(null);
  if (!isComplete || changes.length > FOLLOWED) return null;
  const folded = await reader.folded([...documents]);
  return new Map(Array.from(documents, (document) => [document, folded.get(document) ?? null]));
}

/** The result for `words`, with tiers when `isDeep`: a kept one while still of this generation. */
async function resultOf(
  kept: Kept,
  generation: number,
  reader: IndexReader,
  words: readonly string[],
  isDeep: boolean,
): Promise<Result> {
  const key = words.join(' ');
  const known = kept.generation === generation ? kept.results.get(key) : undefined;
  if (known && (known.tiers || !isDeep)) return known;
  const needsTiers = isDeep || kept.results.wasAsked(key);
  const result = needsTiers ? await findTiers(reader, words) : { words, exact: await reader.count(words) };
  if (known?.loose) result.loose = known.loose;
  if (kept.generation === generation) kept.results.set(key, result);
  return result;
}

async function findTiers(reader: IndexReader, words: readonly string[]): Promise<Result> {
  const all = (place: Place) => reader.all(place, words);
  const tiers = tiersOf(await all('titles'), await all('heads'), await all('whole'));
  return { words, exact: tiers.reduce((sum, tier) => sum + tier.length, 0), tiers };
}

/** Documents `from` up to `to` of the exact and looser hits. */
async function documentsOf(reader: IndexReader, result: Result, from: number, to: number): Promise<number[]> {
  const { exact, loose } = result;
  const tiers = result.tiers ?? (await newestTiers(reader, result, Math.min(to, exact)));
  const rest = loose?.documents.slice(Math.max(from - exact, 0), Math.max(to - exact, 0)) ?? [];
  return [...sliceTiers(tiers, from, Math.min(to, exact)), ...rest];
}

/** Tiers as far as their first `limit` documents need them, kept with the result. */
async function newestTiers(reader: IndexReader, result: Result, limit: number): Promise<Tiers> {
  if (!result.newest || result.newest.limit < limit) {
    result.newest = { limit, tiers: await readTiers(reader, result.words, limit) };
  }
  return result.newest.tiers;
}

async function readTiers(reader: IndexReader, words: readonly string[], limit: number): Promise<Tiers> {
  const none = new Float64Array();
  if (limit === 0) return [none, none, none];
  const newest = (place: Place, most: number) => reader.newest(place, words, most);
  const titles = await newest('titles', limit);
  if (titles.length === limit) return [titles, none, none];
  const heads = await newest('heads', limit + titles.length);
  if (heads.length >= limit) return tiersOf(titles, heads, none);
  return tiersOf(titles, heads, await newest('whole', limit + heads.length));
}

/** Documents that hold all, then most of the words that the query can be cut into, without the exact hits. */
async function findLoose(
  reader: IndexReader,
  exact: Result,
  loadCutter: LoadCutter,
): Promise<NonNullable<Result['loose']>> {
  const words = looseWords(exact.words, await loadCutter());
  if (words.length === 0) return { words, documents: [] };
  const seen = new Set(await documentsOf(reader, exact, 0, exact.exact));
  const documents: number[] = [];
  for (let least = words.length; least >= looseMinimum(words.length); least -= 1) {
    for (const document of await reader.newestOfSome(words, least, LOOSE_LIMIT + seen.size)) {
      if (seen.has(document) || documents.length === LOOSE_LIMIT) continue;
      seen.add(document);
      documents.push(document);
    }
    if (documents.length === LOOSE_LIMIT) break;
  }
  return { words, documents };
}

async function hitsOf(
  reader: IndexReader,
  { words, loose }: Result,
  documents: readonly number[],
): Promise<SearchHit[]> {
  const articles = await reader.articles(documents);
  const byDocument = new Map(articles.map((article) => [article.document, article]));
  return documents.flatMap((document) => {
    const article = byDocument.get(document);
    if (!article) return [];
    const marked = loose?.documents.includes(document) ? [...words, ...loose.words] : words;
    const title = highlightAll(article.title, marked);
    return [{ articleId: article.id, highlight: { title, content: highlightSnippet(article.text, marked) } }];
  });
}
