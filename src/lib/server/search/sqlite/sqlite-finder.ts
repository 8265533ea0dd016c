import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createFinder, type LoadCutter } from '../finder.ts';
import { foldDocument } from '../text/folded-document.ts';
import { matchAll, matchSome } from './fts5.ts';
import { AUTHOR_COLUMNS, DOCUMENT_COLUMNS, IS_FOUND, TAGS } from '../../db/search-documents.ts';
import type { FoundArticle, FoundHead, IndexReader, Place, Wanted } from '../reader.ts';
import type { SearchDocument } from '../../db/search-documents.ts';
import type { SearchPage, SearchQuery, Suggestions } from '../search.ts';
import { findSuggestions } from '../suggest.ts';

const HEADS = 'search_heads where search_heads match ?';
const TABLES: Record<Place, string> = {
  titles: HEADS,
  names: HEADS,
  heads: HEADS,
  whole: 'search_whole where search_whole match ?',
};

const shownOnes = (columns: string, joins: string) =>
  `select d.document, ${columns} from search_documents d
  join articles a on a.id = d.article_id and ${IS_FOUND} ${joins} where d.document = ?`;
const HEAD = shownOnes(
  `a.id, a.title, ${TAGS}, ${AUTHOR_COLUMNS}, e.headings`,
  'join users u on u.id = a.author_id join search_entries e on e.document = d.document',
);
const BODY = 'join article_bodies b on b.article_id = a.id';
const ARTICLE = shownOnes('a.id, a.title, b.text', BODY);
const SOURCE = shownOnes(DOCUMENT_COLUMNS, `join users u on u.id = a.author_id ${BODY}`);
const OPENING = shownOnes('substr(b.text, 1, ?) as text', BODY);

/** Searches over `connection`, which has a migrated schema and only reads. Not for concurrent calls. */
export function createSqliteFinder(connection: DatabaseSync, loadCutter: LoadCutter) {
  const finder = createFinder(loadCutter);
  const reader = readerOver(connection);
  const inSnapshot = async <T>(read: () => Promise<T>): Promise<T> => {
    connection.exec('begin');
    try {
      return await read();
    } finally {
      connection.exec('commit');
    }
  };
  return {
    find: (query: SearchQuery): Promise<SearchPage> => inSnapshot(() => finder.find(reader, query)),
    suggest: (text: string): Promise<Suggestions> => inSnapshot(() => findSuggestions(reader, text)),
  };
}

/** Runs `statement` for each document. node:sqlite does not know the columns of a statement. */
const rowsOf = <Row>(statement: StatementSync, documents: readonly number[]): Row[] =>
  documents.flatMap((document) => statement.all(document) as Row[]);

function readerOver(connection: DatabaseSync): IndexReader {
  const statements = prepare(connection);
  const listOf = (rows: unknown): Float64Array =>
    Float64Array.from(rows as { document: number }[], ({ document }) => document);
  const all = (place: Place, wanted: Wanted): Float64Array => {
    const { documents } = statements.all[place].get(matchAll(place, wanted)) as { documents: string };
    return Float64Array.from(JSON.parse(documents) as number[]).toReversed();
  };
  return {
    startWordSearch: () => (statements.generation.get() as { generation: number }).generation,
    changesAfter: (generation) =>
      (statements.changes.all(generation) as { document: number | null }[]).map(({ document }) => document),
    folded(documents) {
      const rows = rowsOf<SearchDocument & { document: number }>(statements.source, documents);
      return new Map(rows.map((row) => [row.document, foldDocument(row)]));
    },
    count: (wanted) => (statements.count.get(matchAll('whole', wanted)) as { exact: number }).exact,
    all,
    newest: (place, wanted, limit) => listOf(statements.newest[place].all(matchAll(place, wanted), limit)),
    newestOfSome: (place, wanted, least, limit) =>
      listOf(statements.newest[place].all(matchSome(place, wanted, least), limit)),
    // Loads all matches: even for a given row, FTS5 starts with the first match anywhere in the index.
    holding(documents, words) {
      const holders = new Set(all('whole', { words, labels: [] }));
      return Float64Array.from(documents.filter((document) => holders.has(document)));
    },
    titlesFrom: (prefix, limit) => listOf(statements.titlesFrom.all(prefix, `${prefix}\u{10ffff}`, limit)),
    heads(documents) {
      const rows = rowsOf<Omit<FoundHead, 'tags'> & { tags: string }>(statements.head, documents);
      return rows.map((row) => ({ ...row, tags: JSON.parse(row.tags) as string[] }));
    },
    openings(documents, characters) {
      const rows = documents.flatMap(
        (document) => statements.opening.all(characters, document) as unknown as FoundArticle[],
      );
      return new Map(rows.map(({ document, text }) => [document, text]));
    },
    articles: (documents) => rowsOf<FoundArticle>(statements.article, documents),
  };
}

function prepare(connection: DatabaseSync) {
  const each = (text: (table: string) => string): Record<Place, StatementSync> => ({
    titles: connection.prepare(text(TABLES.titles)),
    names: connection.prepare(text(TABLES.names)),
    heads: connection.prepare(text(TABLES.heads)),
    whole: connection.prepare(text(TABLES.whole)),
  });
  return {
    count: connection.prepare(`select count(*) as exact from ${TABLES.whole}`),
    newest: each((table) => `select rowid as document from ${table} order by rowid desc limit ?`),
    // One row with all numbers: one row per number costs several times as much in node:sqlite.
    all: each((table) => `select json_group_array(rowid) as documents from ${table}`),
    titlesFrom: connection.prepare(
      `select document from search_entries where title >= ? and title < ? order by title, document limit ?`,
    ),
    head: connection.prepare(HEAD),
    article: connection.prepare(ARTICLE),
    source: connection.prepare(SOURCE),
    opening: connection.prepare(OPENING),
    generation: connection.prepare('select coalesce(max(generation), 0) as generation from search_changes'),
    changes: connection.prepare('select document from search_changes where generation > ?'),
  };
}
