import { sql } from 'kysely';
import type { Database, Trx } from '../../db/database.ts';
import { perform } from '../../db/perform.ts';
import { againOnPrimary } from '../../db/postgres/postgres-replica.ts';
import { createJob } from '../../jobs/jobs.ts';
import { createQueue } from '../../jobs/queue.ts';
import type { Log } from '../../shared/log.ts';
import { createFinder } from '../finder.ts';
import { createIndexWriter } from '../index-writer.ts';
import type { IndexReader } from '../reader.ts';
import type { SearchIndex } from '../search.ts';
import { findSuggestions } from '../suggest.ts';
import { loadCutter } from '../text/cut.ts';
import { fold } from '../text/fold.ts';
import { foldHeadings } from '../text/folded-document.ts';
import { createPostgresReaders } from './postgres-reader.ts';
import { dueForMerge, SIZES, tidy, tidyMany, type Sizes } from './tidy.ts';

// Maximum concurrent and waiting searches, which leaves connections for other readers.
const LINE = { running: 4, waiting: 200 };
/** Shortest time between two attempts to reorganize the index. */
const TIDY_INTERVAL_MS = 2_000;

interface Options {
  log?: Pick<Log, 'warn'>;
  sizes?: Sizes;
}

/** Creates the search index in tables of the PostgreSQL database `db`. Call `rebuildIfNeeded` before. */
export function createPostgresSearch(db: Database, { log, sizes = SIZES }: Options = {}): SearchIndex {
  if (db.engine !== 'postgres') throw new Error(`this search needs PostgreSQL, not ${db.engine}`);
  const finder = createFinder(loadCutter);
  const line = createQueue(LINE);
  let isClosed = false;
  const tidying = createJob((signal) => tidy(db, sizes, () => signal.aborted), {
    everyMs: Infinity,
    failed(error) {
      if (!isClosed) log?.warn({ err: error }, 'reorganizing the search index failed');
    },
  });
  let triedAt = -Infinity;
  const tidySoon = (): void => {
    if (performance.now() - triedAt < TIDY_INTERVAL_MS) return;
    triedAt = performance.now();
    void tidying.run();
  };
  const readerOver = createPostgresReaders((tail, segments) => {
    if (tail >= sizes.tail || dueForMerge(segments, sizes).length > 0) tidySoon();
  });
  const inSnapshot = <T>(read: (reader: IndexReader) => Promise<T>): Promise<T> =>
    line.run(() =>
      againOnPrimary(() =>
        db.read
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((snapshot) => read(readerOver(snapshot))),
      ),
    );
  let added = 0;
  return {
    async put(trx, document) {
      await postgresWriter.put(trx, document);
      db.afterCommit(trx, () => {
        added += 1;
        if (added < sizes.tail) return;
        added = 0;
        tidySoon();
      });
    },
    remove: postgresWriter.remove,
    search: (query) => inSnapshot((reader) => finder.find(reader, query)),
    suggest: (text) => inSnapshot((reader) => findSuggestions(reader, text)),
    async close() {
      isClosed = true;
      await tidying.stop();
    },
  };
}

export const postgresWriter = createIndexWriter({
  async add(trx, entries) {
    const documents = entries.map(({ document }) => document);
    const titles = entries.map(({ article }) => fold(article.title));
    const headings = entries.map(({ article }) => foldHeadings(article.toc));
    await perform(
      trx,
      sql`insert into search_entries (document, title, headings)
        select * from unnest(${documents}::bigint[], ${titles}::text[], ${headings}::text[])`,
    );
    await perform(trx, sql`insert into search_tail (document) select unnest(${documents}::bigint[])`);
  },
  drop: (trx, document) => drop(trx, document),
  async dropAll(trx) {
    // Each search reads this table first, so none holds locks on others for which TRUNCATE waits.
    await sql`lock table search_changes in access exclusive mode`.execute(trx);
    // TRUNCATE takes constant time. A search that began before finds nothing; later ones see the change.
    await sql`truncate search_entries, search_tail, search_segments, search_blocks, search_dead`.execute(trx);
  },
  settle: (db) => tidyMany(db, SIZES),
});

/** A document that is not in the tail may be in any segment that spans it. */
async function drop(trx: Trx, document: number): Promise<void> {
  await perform(trx, sql`delete from search_entries where document = ${document}`);
  await perform(
    trx,
    sql`with left_tail as (delete from search_tail where document = ${document} returning document),
      spanning as (
        update search_segments set changes = changes + 1
        where is_live = 1 and base <= ${document} and last >= ${document} and not exists (select 1 from left_tail)
        returning segment
      )
      insert into search_dead (segment, document) select segment, ${document}::bigint from spanning on conflict do nothing`,
  );
}
