import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fold } from './fold.ts';
import { matchAll, matchSome } from './fts5.ts';
import { highlightAll, highlightSnippet } from './highlight.ts';
import { ENOUGH_EXACT, LOOSE_LIMIT, looseMinimum, looseWords, parseKeywords } from './query.ts';
import { ResultCache, sliceTiers, tiersOf, type FoldedDocument, type Result, type Tiers } from './results.ts';
import type { SearchHit, SearchPage, SearchQuery } from './search.ts';

/** Gives the function that cuts a text into words; loading it takes long, so it is asked for only when needed. */
export type LoadCutter = () => Promise<(text: string) => string[]>;

/** Answers searches over one connection that only reads. Not for concurrent calls. */
export interface SqliteFinder {
  find(query: SearchQuery): Promise<SearchPage>;
}

// Hits up to here are read newest first as far as the page needs; farther pages find all of them.
const STREAMED = 300;
// Changes that kept results follow; after more at once (an import) they are found anew.
const FOLLOWED = 100;

const TABLES = {
  titles: `search_heads where search_heads match '{title} : (' || ? || ')'`,
  heads: 'search_heads where search_heads match ?',
  whole: 'search_whole where search_whole match ?',
};
type Table = keyof typeof TABLES;

const ARTICLE = `select a.id, a.title, a.tags, b.text from search_documents d
  join articles a on a.id = d.article_id and a.is_public = 1 join article_bodies b on b.article_id = a.id where d.document = ?`;

/** Prepares searching over `connection`, whose schema is migrated. */
export function createSqliteFinder(connection: DatabaseSync, loadCutter: LoadCutter): SqliteFinder {
  const statements = prepare(connection);
  const cache = new ResultCache();
  let generation = 0;
  const resultOf = (words: readonly string[], isDeep: boolean): Result => {
    const key = words.join(' ');
    const known = cache.get(key);
    if (known && (known.tiers || !isDeep)) return known;
    const result = isDeep || cache.wasAsked(key) ? findTiers(statements, words) : count(statements, words);
    if (known?.loose) result.loose = known.loose;
    cache.set(key, result);
    return result;
  };
  return {
    async find({ keywords, page, pageSize }) {
      connection.exec('begin');
      try {
        generation = follow(statements, cache, generation);
        const words = parseKeywords(keywords);
        if (words.length === 0) return { hits: [], total: 0, page: 1 };
        let result = resultOf(words, false);
        if (result.exact < ENOUGH_EXACT) result.loose ??= await findLoose(statements, result, loadCutter);
        const total = result.exact + (result.loose?.documents.length ?? 0);
        const actual = Math.max(1, Math.min(page, Math.ceil(total / pageSize)));
        if (Math.min(actual * pageSize, result.exact) > STREAMED) result = resultOf(words, true);
        const documents = documentsOf(statements, result, (actual - 1) * pageSize, actual * pageSize);
        return {
          hits: documents.flatMap((document) => hitOf(statements, result, document)),
          total,
          page: actual,
        };
      } finally {
        connection.exec('commit');
      }
    },
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare(connection: DatabaseSync) {
  const each = (text: (table: string) => string): Record<Table, StatementSync> => ({
    titles: connection.prepare(text(TABLES.titles)),
    heads: connection.prepare(text(TABLES.heads)),
    whole: connection.prepare(text(TABLES.whole)),
  });
  return {
    count: connection.prepare(`select count(*) as exact from ${TABLES.whole}`),
    newest: each((table) => `select rowid as document from ${table} order by rowid desc limit ?`),
    // One row with all numbers: a row for each costs several times as much in node:sqlite.
    all: each((table) => `select json_group_array(rowid) as documents from ${table}`),
    article: connection.prepare(ARTICLE),
    generation: connection.prepare('select coalesce(max(generation), 0) as generation from search_changes'),
    changes: connection.prepare('select document from search_changes where generation > ?'),
  };
}

/** Brings the kept results up to the generation of this snapshot, which it returns. */
function follow(statements: Statements, cache: ResultCache, known: number): number {
  const { generation } = statements.generation.get() as { generation: number };
  if (generation === known) return generation;
  const changes = statements.changes.all(known) as { document: number | null }[];
  const isComplete =
    changes.length === generation - known && changes.every(({ document }) => document !== null);
  if (isComplete && changes.length <= FOLLOWED) {
    const documents = new Set(changes.map(({ document }) => document as number));
    cache.follow(
      new Map(Array.from(documents, (document) => [document, foldedDocument(statements, document)])),
    );
  } else cache.clear();
  return generation;
}

interface ArticleRow {
  id: string;
  title: string;
  tags: string;
  text: string;
}

function foldedDocument(statements: Statements, document: number): FoldedDocument | null {
  const row = statements.article.get(document) as ArticleRow | undefined;
  if (!row) return null;
  const tags = (JSON.parse(row.tags) as string[]).join('\n');
  return { title: fold(row.title), tags: fold(tags), text: fold(row.text) };
}

function count(statements: Statements, words: readonly string[]): Result {
  return { words, exact: (statements.count.get(matchAll(words)) as { exact: number }).exact };
}

function findTiers(statements: Statements, words: readonly string[]): Result {
  const match = matchAll(words);
  const all = (table: Table) => {
    const { documents } = statements.all[table].get(match) as { documents: string };
    return Float64Array.from(JSON.parse(documents) as number[]).toReversed();
  };
  const tiers = tiersOf(all('titles'), all('heads'), all('whole'));
  return { words, exact: tiers.reduce((sum, tier) => sum + tier.length, 0), tiers };
}

/** Documents `from` up to `to` of the exact and looser hits. */
function documentsOf(statements: Statements, result: Result, from: number, to: number): number[] {
  const { exact, loose } = result;
  const tiers = result.tiers ?? newestTiers(statements, result, Math.min(to, exact));
  const rest = loose?.documents.slice(Math.max(from - exact, 0), Math.max(to - exact, 0)) ?? [];
  return [...sliceTiers(tiers, from, Math.min(to, exact)), ...rest];
}

/** Tiers as far as their first `limit` documents need them, kept with the result. */
function newestTiers(statements: Statements, result: Result, limit: number): Tiers {
  if (!result.newest || result.newest.limit < limit) {
    result.newest = { limit, tiers: readTiers(statements, result.words, limit) };
  }
  return result.newest.tiers;
}

function readTiers(statements: Statements, words: readonly string[], limit: number): Tiers {
  const match = matchAll(words);
  const none = new Float64Array();
  const newest = (table: Table, most: number) => {
    const rows = statements.newest[table].all(match, most) as { document: number }[];
    return Float64Array.from(rows, ({ document }) => document);
  };
  const titles = newest('titles', limit);
  if (titles.length === limit) return [titles, none, none];
  const heads = newest('heads', limit + titles.length);
  if (heads.length >= limit) return tiersOf(titles, heads, none);
  return tiersOf(titles, heads, newest('whole', limit + heads.length));
}

/** Documents that hold all, then most of the words that the query can be cut into, without the exact hits. */
async function findLoose(
  statements: Statements,
  exact: Result,
  loadCutter: LoadCutter,
): Promise<NonNullable<Result['loose']>> {
  const words = looseWords(exact.words, await loadCutter());
  if (words.length === 0) return { words, documents: [] };
  const seen = new Set(documentsOf(statements, exact, 0, exact.exact));
  const documents: number[] = [];
  for (let least = words.length; least >= looseMinimum(words.length); least -= 1) {
    const match = matchSome(words, least);
    const rows = statements.newest.whole.all(match, LOOSE_LIMIT + seen.size) as { document: number }[];
    for (const { document } of rows) {
      if (seen.has(document) || documents.length === LOOSE_LIMIT) continue;
      seen.add(document);
      documents.push(document);
    }
    if (documents.length === LOOSE_LIMIT) break;
  }
  return { words, documents };
}

function hitOf(statements: Statements, result: Result, document: number): SearchHit[] {
  const row = statements.article.get(document) as ArticleRow | undefined;
  if (!row) return [];
  const isLoose = result.loose?.documents.includes(document) ?? false;
  const words = isLoose ? [...result.words, ...(result.loose?.words ?? [])] : result.words;
  const highlight = { title: highlightAll(row.title, words), content: highlightSnippet(row.text, words) };
  return [{ articleId: row.id, highlight }];
}
