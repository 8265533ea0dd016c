import { sql } from 'kysely';
import type { Database, Trx } from '../db/database.ts';
import type { BlogEvent } from '../db/events.ts';
import { listDocuments } from '../db/search-documents.ts';
import type { IndexWriter } from './index-writer.ts';
import { postgresWriter } from './postgres/postgres-search.ts';
import { sqliteWriter } from './sqlite/sqlite-search.ts';
import { INDEX_VERSION } from './text/tokens.ts';

const BATCH_SIZE = 50;
/** Other processes may have cached searches of an index that was being built. */
const REBUILT: BlogEvent = { type: 'index-rebuilt' };

const WRITERS: Record<Database['engine'], IndexWriter> = { sqlite: sqliteWriter, postgres: postgresWriter };

export const indexWriterOf = ({ engine }: Database): IndexWriter => WRITERS[engine];

/**
 * Rebuilds an index of another version from the articles that readers find, one transaction per batch;
 * resumes after an interruption, and several processes may share the work. Resolves to the number of articles
 * this call indexed.
 * @param onBatch called after each batch with the number so far; false stops
 */
export async function rebuildIfNeeded(
  db: Database,
  onBatch: (indexed: number) => boolean = () => true,
): Promise<number> {
  const writer = indexWriterOf(db);
  let indexed = 0;
  for (;;) {
    const batch = await db.write(async (trx) => {
      const articles = await rebuildBatch(trx, writer);
      if (articles !== null) db.announce(trx, REBUILT);
      return articles;
    });
    if (batch === null) return indexed;
    await writer.settle(db);
    indexed += batch;
    if (!onBatch(indexed)) return indexed;
  }
}

async function rebuildBatch(trx: Trx, writer: IndexWriter): Promise<number | null> {
  const { rows } = await sql<{ version: number; building: number; cursor: number }>`
    select version, building, cursor from search_state`.execute(trx);
  const state = rows[0];
  if (!state) throw new Error('search_state has no row');
  if (state.version === INDEX_VERSION) return null;
  const isStarting = state.building !== INDEX_VERSION;
  if (isStarting) await writer.clear(trx);
  const after = isStarting ? 0 : state.cursor;
  const articles = await listDocuments(trx, { afterNumber: after, limit: BATCH_SIZE });
  await writer.putAll(trx, articles);
  const last = articles.at(-1);
  const version = last ? 0 : INDEX_VERSION;
  const building = last ? INDEX_VERSION : 0;
  await sql`update search_state set version = ${version}, building = ${building}, cursor = ${last?.seq ?? 0}`.execute(
    trx,
  );
  return articles.length;
}

export async function forgetIndex(trx: Trx): Promise<void> {
  await sql`update search_state set version = 0, building = 0, cursor = 0`.execute(trx);
}
