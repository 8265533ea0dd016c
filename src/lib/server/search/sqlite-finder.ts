import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createFinder, type FoundArticle, type IndexReader, type LoadCutter, type Place } from './finder.ts';
import { fold } from './fold.ts';
import { matchAll, matchSome } from './fts5.ts';
import type { SearchPage, SearchQuery } from './search.ts';

const TABLES: Record<Place, string> = {
  titles: `search_heads where search_heads match '{title} : (' || ? || ')'`,
  heads: 'search_heads where search_heads match ?',
  whole: 'search_whole where search_whole match ?',
};

const ARTICLE = `select d.document, a.id, a.title, a.tags, b.text from search_documents d
  join articles a on a.id = d.article_id and a.is_public = 1 join article_bodies b on b.article_id = a.id where d.document = ?`;

/** Searches over `connection`, whose schema is migrated and which only reads. Not for concurrent calls. */
export function createSqliteFinder(connection: DatabaseSync, loadCutter: LoadCutter) {
  const finder = createFinder(loadCutter);
  const reader = readerOver(connection);
  return {
    async find(query: SearchQuery): Promise<SearchPage> {
      connection.exec('begin');
      try {
        return await finder.find(reader, query);
      } finally {
        connection.exec('commit');
      }
    },
  };
}

interface ArticleRow extends FoundArticle {
  tags: string;
}

function readerOver(connection: DatabaseSync): IndexReader {
  const statements = prepare(connection);
  const newest = (place: Place, match: string, limit: number) => {
    const rows = statements.newest[place].all(match, limit) as { document: number }[];
    return Float64Array.from(rows, ({ document }) => document);
  };
  const articles = (documents: readonly number[]) =>
    documents.flatMap((document) => statements.article.all(document) as unknown as ArticleRow[]);
  return {
    generation: () => (statements.generation.get() as { generation: number }).generation,
    changesAfter: (generation) =>
      (statements.changes.all(generation) as { document: number | null }[]).map(({ document }) => document),
    folded: (documents) => new Map(articles(documents).map((row) => [row.document, foldRow(row)])),
    count: (words) => (statements.count.get(matchAll(words)) as { exact: number }).exact,
    all(place, words) {
      const { documents } = statements.all[place].get(matchAll(words)) as { documents: string };
      return Float64Array.from(JSON.parse(documents) as number[]).toReversed();
    },
    newest: (place, words, limit) => newest(place, matchAll(words), limit),
    newestOfSome: (words, least, limit) => newest('whole', matchSome(words, least), limit),
    articles,
  };
}

function prepare(connection: DatabaseSync) {
  const each = (text: (table: string) => string): Record<Place, StatementSync> => ({
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

const foldRow = ({ title, tags, text }: ArticleRow) => ({
  title: fold(title),
  tags: fold((JSON.parse(tags) as string[]).join('\n')),
  text: fold(text),
});
