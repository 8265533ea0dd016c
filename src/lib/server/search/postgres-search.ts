import { sql, type RawBuilder } from 'kysely';
import type { Database, Queryable } from '../db/database.ts';
import { createQueue } from '../queue.ts';
import { loadCutter } from './cut.ts';
import { createFinder, type FoundArticle, type IndexReader, type Place } from './finder.ts';
import { combinations } from './query.ts';
import { createIndexWriter } from './index-writer.ts';
import type { FoldedDocument } from './results.ts';
import type { SearchIndex } from './search.ts';
import { keysOf, tokensOf } from './tokens.ts';

// So many searches at most keep connections from other readers; the rest wait.
const LINE = { running: 4, waiting: 200 };

/** Precedes the tokens of a title, and of title and tags; no token begins with an ASCII sign. */
const MARKS: Record<Place, string> = { titles: '!', heads: '#', whole: '' };

/** The search index in tables of the PostgreSQL database `db`. Call `rebuildIfNeeded` before. */
export function createPostgresSearch(db: Database): SearchIndex {
  if (db.engine !== 'postgres') throw new Error(`this search needs PostgreSQL, not ${db.engine}`);
  const finder = createFinder(loadCutter);
  const line = createQueue(LINE);
  return {
    put: postgresWriter.put,
    remove: postgresWriter.remove,
    search: (query) =>
      line.run(() =>
        db.read
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((snapshot) => finder.find(readerOver(snapshot), query)),
      ),
    close: async () => {},
  };
}

/** Writes tokens and folded texts into `search_entries`. */
export const postgresWriter = createIndexWriter({
  async add(trx, document, { title, tags, text }) {
    const heads = `${title}\n${tags}`;
    const whole = `${heads}\n${text}`;
    const tokens = [
      ...tokensIn('titles', title),
      ...tokensIn('heads', heads),
      // In this order neighbours begin alike, which compresses well.
      ...tokensIn('whole', whole).sort(),
    ].join(' ');
    await sql`insert into search_entries (document, title, tags, whole, tokens)
      values (${document}, ${title}, ${tags}, ${whole}, ${tokens})`.execute(trx);
  },
  async drop(trx, document) {
    await sql`delete from search_entries where document = ${document}`.execute(trx);
  },
  async dropAll(trx) {
    // However many there are, it takes no time. A search that began before finds nothing; later ones know of
    // the change.
    await sql`truncate search_entries`.execute(trx);
  },
});

const tokensIn = (place: Place, text: string) => Array.from(tokensOf(text), (token) => MARKS[place] + token);

function readerOver(snapshot: Queryable): IndexReader {
  const rowsOf = async <R>(query: RawBuilder<R>) => (await query.execute(snapshot)).rows;
  const listOf = async (query: RawBuilder<{ document: number }>) =>
    Float64Array.from(await rowsOf(query), ({ document }) => document);
  return {
    async generation() {
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
      const rows = await rowsOf(sql<FoldedDocument & { document: number }>`
        select e.document, e.title, e.tags, e.whole as text from search_entries e
        join search_documents d on d.document = e.document join articles a on a.id = d.article_id and a.is_public = 1
        where e.document = any(${documents}::bigint[])`);
      return new Map(rows.map((row) => [row.document, row]));
    },
    async count(words) {
      const [row] = await rowsOf(
        sql<{
          exact: number;
        }>`select count(*) as exact from search_entries where ${holdsAll('whole', words)}`,
      );
      return row?.exact ?? 0;
    },
    async all(place, words) {
      // One row with all numbers: a row for each costs several times as much.
      const [row] = await rowsOf(sql<{ documents: number[] | null }>`
        select json_agg(document order by document desc) as documents from search_entries
        where ${holdsAll(place, words)}`);
      return Float64Array.from(row?.documents ?? []);
    },
    newest: (place, words, limit) => listOf(newestOf(hasKeys(place, words), checks(place, words), limit)),
    newestOfSome(words, least, limit) {
      const some = combinations(words, least).map((combination) => hasKeys('whole', combination));
      const held = sql.join(
        words.map((word) => sql`(${holds('whole', word)})::integer`),
        sql` + `,
      );
      return listOf(newestOf(sql.join(some, sql` or `), [sql`${held} >= ${least}`], limit));
    },
    articles: (documents) =>
      rowsOf(sql<FoundArticle>`
        select d.document, a.id, a.title, b.text from search_documents d
        join articles a on a.id = d.article_id and a.is_public = 1 join article_bodies b on b.article_id = a.id
        where d.document = any(${documents}::bigint[])`),
  };
}

/**
 * For this transaction only the index of tokens is used: the planner, ignorant of a token's frequency, would
 * sometimes split every row's tokens. Compiling takes longer than a search.
 */
const SETTINGS = ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan', 'jit'].map(
  (name) => sql`set_config(${sql.lit(name)}, 'off', true)`,
);

type Condition = RawBuilder<unknown>;

/** That a row of `search_entries` holds all `words` in `place`. */
const holdsAll = (place: Place, words: readonly string[]): Condition =>
  sql.join([hasKeys(place, words), ...checks(place, words)], sql` and `);

/** That it has the tokens of all `words`, which the index answers. */
function hasKeys(place: Place, words: readonly string[]): Condition {
  const keys = words.flatMap(keysOf).map((key) => MARKS[place] + key);
  return sql`search_tokens(tokens) @> ${[...new Set(keys)]}::text[]`;
}

/** What of it the tokens leave open, word by word: nothing for a word of one token. */
const checks = (place: Place, words: readonly string[]): Condition[] =>
  words.filter((word) => keysOf(word).length > 1).map((word) => holds(place, word));

/** Looks first where looking costs least: a long text lies beside its row. */
function holds(place: Place, word: string): Condition {
  const columns = { titles: ['title'], heads: ['title', 'tags'], whole: ['title', 'tags', 'whole'] }[place];
  return sql`(${sql.join(
    columns.map((column) => sql`strpos(${sql.ref(column)}, ${word}) > 0`),
    sql` or `,
  )})`;
}

/** Documents with `keys` that pass `tests`, newest first, looked into one by one up to the limit. */
function newestOf(
  keys: Condition,
  tests: readonly Condition[],
  limit: number,
): RawBuilder<{ document: number }> {
  if (tests.length === 0)
    return sql`select document from search_entries where ${keys} order by document desc limit ${limit}`;
  // OFFSET 0 keeps the tests from being done before the rows are in order.
  return sql`select document from (
      select document, title, tags, whole from search_entries where ${keys} order by document desc offset 0
    ) as candidates where ${sql.join(tests, sql` and `)} order by document desc limit ${limit}`;
}
