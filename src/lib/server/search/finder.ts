import { authorNamesOf, findRelated, facetsOf, rank } from './candidates.ts';
import { exactFormFirst } from './forms.ts';
import { foldForm } from './text/fold.ts';
import type { FoldedDocument } from './text/folded-document.ts';
import { highlightAll, highlightSnippet } from './text/highlight.ts';
import { parseForms, parseKeywords, termsOf } from './query.ts';
import { isOpen, type FoundHead, type IndexReader } from './reader.ts';
import {
  ResultCache,
  sliceTiers,
  tiersOf,
  type SearchTerms,
  type First,
  type Result,
  type Tiers,
} from './results.ts';
import type { SearchHit, SearchPage, SearchQuery } from './search.ts';
import { findSimilar } from './text/similar.ts';
import { labelOf } from './text/tokens.ts';

/** Returns the word cutter. Loading it is slow, so it is called only when needed. */
export type LoadCutter = () => Promise<(text: string) => string[]>;

// Number of exact hits ranked by content, along with the looser ones; the rest are sorted by age.
const MAX_RANKED_HITS = 100;
// Up to this position, hits are read newest first, only as far as the page needs; later pages load all hits.
const MAX_STREAMED_HITS = 300;
// Maximum number of changes applied to cached results; after more (an import), searches run again.
const MAX_FOLLOWED_CHANGES = 100;

export function createFinder(loadCutter: LoadCutter) {
  const cache = new ResultCache();
  return {
    /** Searches the snapshot that `reader` sees. Calls may run concurrently. */
    async find(reader: IndexReader, query: SearchQuery): Promise<SearchPage> {
      const generation = await follow(cache, reader);
      const asked = askedIn(query);
      if (asked.words.length === 0)
        return {
          hits: [],
          total: 0,
          exact: 0,
          page: 1,
          authors: [],
          tags: [],
          named: {},
          similar: [],
        };
      let result = await resultOf(cache, generation, reader, asked, false);
      result.first ??= await findFirst(reader, result, loadCutter);
      const { first } = result;
      const total = result.exact + first.related.size;
      const page = Math.max(1, Math.min(query.page, Math.ceil(total / query.pageSize)));
      const [from, to] = [(page - 1) * query.pageSize, page * query.pageSize];
      if (Math.min(to, result.exact) > MAX_STREAMED_HITS)
        result = { ...(await resultOf(cache, generation, reader, asked, true)), first };
      const documents = await documentsOf(reader, result, first, from, to);
      return {
        hits: await hitsOf(reader, result, first, documents),
        total,
        exact: result.exact,
        page,
        authors: first.authors,
        tags: first.tags,
        ...(first.authorNames ? { authorNames: first.authorNames } : {}),
        named: first.named,
        similar: total === 0 ? await findSimilar(reader, asked.words) : [],
      };
    },
  };
}

const askedIn = ({ keywords, author, tag, order }: SearchQuery): SearchTerms => ({
  words: parseKeywords(keywords),
  forms: parseForms(keywords),
  labels: [
    ...(author === undefined ? [] : [labelOf('author', foldForm(author))]),
    ...(tag === undefined ? [] : [labelOf('tag', foldForm(tag))]),
  ],
  byTime: order === 'time',
});

async function follow(cache: ResultCache, reader: IndexReader): Promise<number> {
  const generation = await reader.startWordSearch();
  while (cache.generation !== generation) {
    const known = cache.generation;
    const changes = await changesBetween(reader, known, generation);
    if (cache.generation !== known) continue;
    if (changes) cache.follow(changes);
    else cache.clear();
    cache.generation = generation;
  }
  return generation;
}

/** Returns the documents changed between two generations; null when unknown (older snapshot) or too many. */
async function changesBetween(
  reader: IndexReader,
  from: number,
  to: number,
): Promise<Map<number, FoldedDocument | null> | null> {
  const changes = await reader.changesAfter(from);
  const documents = new Set(changes.filter((document) => document !== null));
  const isComplete = changes.length === to - from && !changes.includes(null);
  if (!isComplete || changes.length > MAX_FOLLOWED_CHANGES) return null;
  const folded = await reader.folded([...documents]);
  return new Map(Array.from(documents, (document) => [document, folded.get(document) ?? null]));
}

async function resultOf(
  cache: ResultCache,
  generation: number,
  reader: IndexReader,
  asked: SearchTerms,
  isDeep: boolean,
): Promise<Result> {
  const key = JSON.stringify(asked);
  const known = cache.generation === generation ? cache.get(key) : undefined;
  if (known && (known.tiers || !isDeep)) return known;
  const needsTiers = isDeep || cache.wasAsked(key);
  const result = needsTiers ? await findTiers(reader, asked) : { asked, exact: await reader.count(asked) };
  if (known?.first) result.first = known.first;
  if (cache.generation === generation) cache.set(key, result);
  return result;
}

const NONE = new Float64Array();

async function findTiers(reader: IndexReader, asked: SearchTerms): Promise<Result> {
  const whole = await reader.all('whole', asked);
  if (asked.byTime) return { asked, exact: whole.length, tiers: [NONE, NONE, whole] };
  const tiers = tiersOf(await reader.all('titles', asked), await reader.all('heads', asked), whole);
  return { asked, exact: whole.length, tiers };
}

/** Returns the documents from position `from` up to `to`: ranked ones, other exact hits, then `last`. */
async function documentsOf(
  reader: IndexReader,
  result: Result,
  { documents, last, related }: First,
  from: number,
  to: number,
): Promise<number[]> {
  const front = documents.length;
  const rest = result.exact - documents.filter((document) => !related.has(document)).length;
  const within = (start: number, length: number) =>
    [from - start, to - start].map((at) => Math.min(Math.max(at, 0), length)) as [number, number];
  const [start, end] = within(front, rest);
  // The ranked documents are among the newest of the tiers.
  const limit = Math.min(end + front, result.exact);
  const others =
    end > start
      ? sliceTiers(result.tiers ?? (await newestTiers(reader, result, limit)), start, end, new Set(documents))
      : [];
  return [...documents.slice(from, to), ...others, ...last.slice(...within(front + rest, last.length))];
}

async function newestTiers(reader: IndexReader, result: Result, limit: number): Promise<Tiers> {
  if (!result.newest || result.newest.limit < limit) {
    result.newest = { limit, tiers: await readTiers(reader, result.asked, limit) };
  }
  return result.newest.tiers;
}

async function readTiers(reader: IndexReader, asked: SearchTerms, limit: number): Promise<Tiers> {
  if (limit === 0) return [NONE, NONE, NONE];
  if (asked.byTime) return [NONE, NONE, await reader.newest('whole', asked, limit)];
  const titles = await reader.newest('titles', asked, limit);
  if (titles.length === limit) return [titles, NONE, NONE];
  const heads = await reader.newest('heads', asked, limit + titles.length);
  if (heads.length >= limit) return tiersOf(titles, heads, NONE);
  return tiersOf(titles, heads, await reader.newest('whole', asked, limit + heads.length));
}

/** Returns the best hits, exact and looser ones together. When sorted by time, looser hits come last. */
async function findFirst(reader: IndexReader, result: Result, loadCutter: LoadCutter): Promise<First> {
  const { asked, exact } = result;
  const terms = termsOf(asked.words, await loadCutter());
  const question = { phrase: asked.words.join(''), terms };
  const related = await findRelated(reader, asked, question, exact);
  const limit = Math.min(MAX_RANKED_HITS, exact);
  const tiers = result.tiers ?? (await newestTiers(reader, result, limit));
  const best = sliceTiers(tiers, 0, limit);
  const heads = await reader.heads([...best, ...related]);
  const name = asked.forms.join(' ');
  // Exact hits include every document of an author or tag with that name; `heads` has all exact hits only up
  // to `MAX_RANKED_HITS`.
  const ofName = exact > MAX_RANKED_HITS ? await headsNamed(reader, name) : heads;
  const facets = facetsOf(heads);
  const named = namedIn(ofName, name);
  const authors = [...facets.authors, ...(named.author === undefined ? [] : [named.author])];
  const shared = {
    question,
    related: new Set(related),
    ...facets,
    ...authorNamesOf([...heads, ...ofName], authors),
    named,
  };
  if (asked.byTime) return { documents: [], last: related.toSorted((a, b) => b - a), ...shared };
  const ranked = await rank(reader, question, heads);
  return { documents: await exactFormFirst(reader, asked, ranked, heads, best), last: [], ...shared };
}

async function hitsOf(
  reader: IndexReader,
  { asked }: Result,
  { question, related }: First,
  documents: readonly number[],
): Promise<SearchHit[]> {
  const articles = await reader.articles(documents);
  const byDocument = new Map(articles.map((article) => [article.document, article]));
  const parts = question.terms.flatMap(({ text, base }) => [text, base]);
  return documents.flatMap((document) => {
    const article = byDocument.get(document);
    if (!article) return [];
    const marked = related.has(document) ? [...new Set([...asked.words, ...parts])] : asked.words;
    const title = highlightAll(article.title, marked);
    return [{ articleId: article.id, highlight: { title, content: highlightSnippet(article.text, marked) } }];
  });
}

const MAX_NAME_CHARACTERS = 60;

/** Returns the newest articles of an author and under a tag named `name` (folded by `foldForm`). */
async function headsNamed(reader: IndexReader, name: string): Promise<readonly FoundHead[]> {
  if (name.length > MAX_NAME_CHARACTERS) return [];
  const documents: number[] = [];
  for (const kind of ['author', 'display', 'tag'] as const)
    documents.push(...(await reader.newest('heads', { words: [], labels: [labelOf(kind, name)] }, 1)));
  return reader.heads(documents);
}

/**
 * Returns the author and the tag named `name` among `heads`: a username before a display name, then the
 * newest.
 */
function namedIn(heads: readonly FoundHead[], name: string): SearchPage['named'] {
  const newest = heads.toSorted((a, b) => b.document - a.document);
  const open = newest.filter(isOpen);
  const author =
    open.find((head) => foldForm(head.author) === name) ??
    open.find((head) => foldForm(head.author_name) === name);
  const tag = newest.flatMap(({ tags }) => tags).find((each) => foldForm(each) === name);
  return { ...(author ? { author: author.author } : {}), ...(tag === undefined ? {} : { tag }) };
}
