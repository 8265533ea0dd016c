import { sql, type RawBuilder } from 'kysely';
import type { Database, Queryable } from '../db/database.ts';
import { perform } from '../db/perform.ts';
import { createQueue } from '../jobs/queue.ts';
import { loadCutter } from './text/cut.ts';
import { createFinder } from './finder.ts';
import { labelsOf, type FoldedDocument } from './text/folded-document.ts';
import { combinations } from './query.ts';
import { createIndexWriter } from './index-writer.ts';
import type { FoundArticle, FoundHead, IndexReader, Place, Wanted } from './reader.ts';
import type { SearchIndex } from './search.ts';
import { findSuggestions } from './suggest.ts';
import { keysOf, tokensOf } from './text/tokens.ts';

// Maximum concurrent and waiting searches, which leaves connections for other readers.
const LINE = { running: 4, waiting: 200 };

/** Prefix of the tokens of a place other than the whole; no token begins with ASCII punctuation. */
const MARKS: Record<Place, string> = { titles: '!', names: '@', heads: '#', whole: '' };

/** Columns of a place, cheapest to search first. */
const COLUMNS: Record<Place, readonly string[]> = {
  titles: ['title'],
  names: ['tags', 'author'],
  heads: ['title', 'tags', 'author', 'headings'],
  whole: ['title', 'tags', 'author', 'headings', 'whole'],
};

/** Creates the search index in tables of the PostgreSQL database `db`. Call `rebuildIfNeeded` before. */
export function createPostgresSearch(db: Database): SearchIndex {
  if (db.engine !== 'postgres') throw new Error(`this search needs PostgreSQL, not ${db.engine}`);
  const finder = createFinder(loadCutter);
  const line = createQueue(LINE);
  const inSnapshot = <T>(read: (reader: IndexReader) => Promise<T>): Promise<T> =>
    line.run(() =>
      db.read
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((snapshot) => read(readerOver(snapshot))),
    );
  return {
    put: postgresWriter.put,
    remove: postgresWriter.remove,
    search: (query) => inSnapshot((reader) => finder.find(reader, query)),
    suggest: (text) => inSnapshot((reader) => findSuggestions(reader, text)),
    close: async () => {},
  };
}

export const postgresWriter = createIndexWriter({
  async add(trx, document, fields) {
    const { title, tags, author, headings, text } = fields;
    const heads = [title, tags, author, headings].join('\n');
    const whole = `${heads}\n${text}`;
    const tokens = [
      ...fields.labels,
      ...tokensIn('titles', title),
      ...tokensIn('names', `${tags}\n${author}`),
      ...tokensIn('heads', heads),
      // Sorted, because neighbours with equal prefixes compress well.
      ...tokensIn('whole', whole).sort(),
    ].join(' ');
    const entry = sql`insert into search_entries (document, title, tags, author, headings, whole, tokens)
      values (${document}, ${title}, ${tags}, ${author}, ${headings}, ${whole}, ${tokens})`;
    await perform(trx, entry);
  },
  async drop(trx, document) {
    await perform(trx, sql`delete from search_entries where document = ${document}`);
  },
  async dropAll(trx) {
    // TRUNCATE takes constant time. A search that began before finds nothing; later ones see the change.
    await sql`truncate search_entries`.execute(trx);
  },
});

const tokensIn = (place: Place, text: string) => Array.from(tokensOf(text), (token) => MARKS[place] + token);

function readerOver(snapshot: Queryable): IndexReader {
  const rowsOf = async <R>(query: RawBuilder<R>) => (await query.execute(snapshot)).rows;
  const listOf = async (query: RawBuilder<{ document: number }>) =>
    Float64Array.from(await rowsOf(query), ({ document }) => document);
  return {
    async startWordSearch() {
      const [row] = await rowsOf(sql<{ generation: number }>`
        select coalesce(max(generation), 0) as generation, ${sql.join(SETTINGS)} from search_changes`);
      return row?.generation ?? 0;
    },
    async changesAfter(generation) {
      const rows = await rowsOf(
        sql<{
          document: number | null;
        }>`select document from search_changes where generation > ${generation}`,
      );
      return rows.map(({ document }) => document);
    },
    async folded(documents) {
      const rows = await rowsOf(sql<
        Omit<FoldedDocument, 'labels'> & { document: number; names: string; username: string }
      >`select e.document, e.title, e.tags, e.author, e.headings, e.whole as text, a.tags as names, u.username
        from search_entries e join search_documents d on d.document = e.document
        join articles a on a.id = d.article_id and a.is_public = 1 join users u on u.id = a.author_id
        where e.document = any(${documents}::bigint[])`);
      return new Map(
        rows.map(({ names, username, ...fields }) => [
          fields.document,
          { ...fields, labels: labelsOf(JSON.parse(names) as string[], username) },
        ]),
      );
    },
    async count(wanted) {
      const [row] = await rowsOf(
        sql<{
          exact: number;
        }>`select count(*) as exact from search_entries where ${holdsAll('whole', wanted)}`,
      );
      return row?.exact ?? 0;
    },
    async all(place, wanted) {
      // One row with all numbers: one row per number costs several times as much.
      const [row] = await rowsOf(sql<{ documents: number[] | null }>`
        select json_agg(document order by document desc) as documents from search_entries
        where ${holdsAll(place, wanted)}`);
      return Float64Array.from(row?.documents ?? []);
    },
    newest: (place, wanted, limit) =>
      listOf(newestOf(hasKeys(place, wanted), checks(place, wanted.words), limit)),
    newestOfSome(place, { words, labels }, least, limit) {
      const some = combinations(words, least).map((combination) =>
        hasKeys(place, { words: combination, labels }),
      );
      return listOf(newestOf(sql`(${sql.join(some, sql` or `)})`, [holdsSome(place, words, least)], limit));
    },
    holding: (documents, words) =>
      listOf(sql<{ document: number }>`select document from search_entries
        where document = any(${documents}::bigint[]) and ${holdsSome('whole', words, words.length)}`),
    titlesFrom: (prefix, limit) =>
      listOf(sql<{ document: number }>`select document from search_entries
        where title >= ${prefix} and title < ${`${prefix}\u{10ffff}`} order by title, document limit ${limit}`),
    async heads(documents) {
      const rows = await rowsOf(sql<Omit<FoundHead, 'tags'> & { tags: string }>`
        select d.document, a.id, a.title, a.tags, u.username as author, e.headings from search_documents d
        join articles a on a.id = d.article_id and a.is_public = 1 join users u on u.id = a.author_id
        join search_entries e on e.document = d.document
        where d.document = any(${documents}::bigint[])`);
      return rows.map((row) => ({ ...row, tags: JSON.parse(row.tags) as string[] }));
    },
    async openings(documents, characters) {
      const rows = await rowsOf(sql<Pick<FoundArticle, 'document' | 'text'>>`
        select d.document, substr(b.text, 1, ${characters}::integer) as text from search_documents d
        join articles a on a.id = d.article_id and a.is_public = 1 join article_bodies b on b.article_id = a.id
        where d.document = any(${documents}::bigint[])`);
      return new Map(rows.map(({ document, text }) => [document, text]));
    },
    articles: (documents) =>
      rowsOf(sql<FoundArticle>`
        select d.document, a.id, a.title, b.text from search_documents d
        join articles a on a.id = d.article_id and a.is_public = 1 join article_bodies b on b.article_id = a.id
        where d.document = any(${documents}::bigint[])`),
  };
}

/**
 * Makes this transaction use only the token index: the planner does not know how frequent a token is and
 * would sometimes split every row's tokens. JIT is off because compiling takes longer than a search.
 */
const SETTINGS = ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan', 'jit'].map(
  (name) => sql`set_config(${sql.lit(name)}, 'off', true)`,
);

type Condition = RawBuilder<unknown>;

const holdsAll = (place: Place, wanted: Wanted): Condition =>
  sql.join([hasKeys(place, wanted), ...checks(place, wanted.words)], sql` and `);

/** Matches rows with all their tokens, using the index. */
function hasKeys(place: Place, { words, labels }: Wanted): Condition {
  const keys = words.flatMap(keysOf).map((key) => MARKS[place] + key);
  return sql`search_tokens(tokens) @> ${[...new Set([...keys, ...labels])]}::text[]`;
}

/** Conditions that the tokens do not settle: none for a word of one token. */
const checks = (place: Place, words: readonly string[]): Condition[] =>
  words.filter((word) => keysOf(word).length > 1).map((word) => holds(place, word));

const holdsSome = (place: Place, words: readonly string[], least: number): Condition =>
  sql`${sql.join(
    words.map((word) => sql`(${holds(place, word)})::integer`),
    sql` + `,
  )} >= ${least}`;

/** Checks the cheapest columns first: PostgreSQL stores long texts out of line. */
const holds = (place: Place, word: string): Condition =>
  sql`(${sql.join(
    COLUMNS[place].map((column) => sql`strpos(${sql.ref(column)}, ${word}) > 0`),
    sql` or `,
  )})`;

/** Selects documents with `keys` that pass `tests`, newest first, testing one by one up to the limit. */
function newestOf(
  keys: Condition,
  tests: readonly Condition[],
  limit: number,
): RawBuilder<{ document: number }> {
  if (tests.length === 0)
    return sql`select document from search_entries where ${keys} order by document desc limit ${limit}`;
  // OFFSET 0 makes PostgreSQL sort the rows before testing them.
  return sql`select document from (
      select document, title, tags, author, headings, whole from search_entries where ${keys} order by document desc offset 0
    ) as candidates where ${sql.join(tests, sql` and `)} order by document desc limit ${limit}`;
}
