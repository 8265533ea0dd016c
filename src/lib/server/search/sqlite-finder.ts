import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fold } from './fold.ts';
import { matchAll, matchSome } from './fts5.ts';
import { highlightAll, highlightSnippet } from './highlight.ts';
import { ENOUGH_EXACT, LOOSE_LIMIT, looseMinimum, looseWords, parseKeywords } from './query.ts';
import { exactTotal, pageOf, ResultCache, tiersOf, type FoldedDocument, type Result } from './results.ts';
import type { SearchHit, SearchPage, SearchQuery } from './search.ts';

/** Gives the function that cuts a text into words; loading it takes long, so it is asked for only when needed. */
export type LoadCutter = () => Promise<(text: string) => string[]>;

/** Answers searches over one connection that only reads. Not for concurrent calls. */
export interface SqliteFinder {
  find(query: SearchQuery): Promise<SearchPage>;
}

type Statements = Record<keyof typeof QUERIES, StatementSync>;

const MEMBERS = 'select json_group_array(rowid) as members from';
const ARTICLE = `select a.id, a.title, a.tags, b.text from search_documents d
  join articles a on a.id = d.article_id and a.is_public = 1 join article_bodies b on b.article_id = a.id where d.document = ?`;
const QUERIES = {
  titles: `${MEMBERS} search_heads where search_heads match '{title} : (' || ? || ')'`,
  heads: `${MEMBERS} search_heads where search_heads match ?`,
  whole: `${MEMBERS} search_whole where search_whole match ?`,
  newest: 'select rowid as document from search_whole where search_whole match ? order by rowid desc limit ?',
  article: ARTICLE,
  generation: 'select coalesce(max(generation), 0) as generation from search_changes',
  changes: 'select document from search_changes where generation > ?',
};

/** Prepares searching over `connection`, whose schema is migrated. */
export function createSqliteFinder(connection: DatabaseSync, loadCutter: LoadCutter): SqliteFinder {
  const statements = Object.fromEntries(
    Object.entries(QUERIES).map(([name, text]) => [name, connection.prepare(text)]),
  ) as Statements;
  const cache = new ResultCache();
  let generation = 0;
  return {
    async find({ keywords, page, pageSize }) {
      connection.exec('begin');
      try {
        generation = follow(statements, cache, generation);
        const words = parseKeywords(keywords);
        if (words.length === 0) return { hits: [], total: 0, page: 1 };
        const key = words.join(' ');
        const result = cache.get(key) ?? findExact(statements, words);
        if (exactTotal(result) < ENOUGH_EXACT)
          result.loose ??= await findLoose(statements, result, loadCutter);
        cache.set(key, result);
        const { documents, ...place } = pageOf(result, page, pageSize);
        return { hits: documents.flatMap((document) => hitOf(statements, result, document)), ...place };
      } finally {
        connection.exec('commit');
      }
    },
  };
}

/** Brings the kept results up to the generation of this snapshot, which it returns. */
function follow(statements: Statements, cache: ResultCache, known: number): number {
  const { generation } = statements.generation.get() as { generation: number };
  if (generation === known) return generation;
  const changes = statements.changes.all(known) as { document: number | null }[];
  const isComplete =
    changes.length === generation - known && changes.every(({ document }) => document !== null);
  if (isComplete) {
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
  return {
    title: fold(row.title),
    tags: fold((JSON.parse(row.tags) as string[]).join('\n')),
    text: fold(row.text),
  };
}

function findExact(statements: Statements, words: readonly string[]): Result {
  const match = matchAll(words);
  const tiers = tiersOf(
    members(statements.titles, match),
    members(statements.heads, match),
    members(statements.whole, match),
  );
  return { words, tiers, loose: undefined };
}

// One row with all numbers: a row for each costs several times as much in node:sqlite.
function members(statement: StatementSync, match: string): Float64Array {
  const { members: list } = statement.get(match) as { members: string };
  return Float64Array.from(JSON.parse(list) as number[]).toReversed();
}

/** Documents that hold all, then most of the words that the query can be cut into, without the exact hits. */
async function findLoose(
  statements: Statements,
  exact: Result,
  loadCutter: LoadCutter,
): Promise<NonNullable<Result['loose']>> {
  const words = looseWords(exact.words, await loadCutter());
  if (words.length === 0) return { words, documents: [] };
  const seen = new Set(exact.tiers.flatMap((tier) => Array.from(tier)));
  const documents: number[] = [];
  for (let least = words.length; least >= looseMinimum(words.length); least -= 1) {
    const rows = statements.newest.all(matchSome(words, least), LOOSE_LIMIT + seen.size) as {
      document: number;
    }[];
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
  return [
    {
      articleId: row.id,
      highlight: { title: highlightAll(row.title, words), content: highlightSnippet(row.text, words) },
    },
  ];
}
