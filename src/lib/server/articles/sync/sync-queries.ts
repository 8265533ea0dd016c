import { sql } from 'kysely';
import { nameKeys } from '../../../dialects/obsidian/names.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { among, firstOf, isChanged } from '../../db/lists.ts';
import type { Schema } from '../../db/schema/schema.ts';
import { needOfName } from './read-synced-file.ts';

type Row = Schema['synced_files'];
export type SyncedFile = Omit<Row, 'owner_id' | 'bytes' | 'revision_time'>;
interface Place {
  owner_id: string;
  path: string;
}

const COLUMNS = [
  'f.path',
  'f.kind',
  'f.target',
  'f.digest',
  'f.article_time',
  'f.needs',
  'f.is_stale',
] as const;

export const findFile = (db: Queryable, { owner_id, path }: Place): Promise<SyncedFile | null> =>
  firstOf(
    db
      .selectFrom('synced_files as f')
      .select(COLUMNS)
      .where('f.owner_id', '=', owner_id)
      .where('f.path', '=', path),
  );

export async function bytesOf(db: Queryable, { owner_id, path }: Place): Promise<Uint8Array> {
  const { bytes } = await db
    .selectFrom('synced_files')
    .select('bytes')
    .where('owner_id', '=', owner_id)
    .where('path', '=', path)
    .executeTakeFirstOrThrow();
  return bytes;
}

/** Files of an author by path, each with the present time of its article, or its picture, if that exists. */
export const listFiles = (db: Queryable, ownerId: string) =>
  db
    .selectFrom('synced_files as f')
    .leftJoin('articles as a', (join) => join.onRef('a.id', '=', 'f.target').on('a.status', '!=', 'cancel'))
    .leftJoin('files as p', 'p.name', 'f.target')
    .select([...COLUMNS, 'a.update_time as presentTime', 'a.status', 'p.name as picture'])
    .where('f.owner_id', '=', ownerId)
    .orderBy('f.path')
    .execute();

export const listPaths = (db: Queryable, ownerId: string) =>
  db.selectFrom('synced_files').select(['path', 'kind']).where('owner_id', '=', ownerId).execute();

export async function targetsOf(db: Queryable, ownerId: string, paths: readonly string[]) {
  const own = db.selectFrom('synced_files as f').select(COLUMNS).where('f.owner_id', '=', ownerId);
  const rows = await among(paths, (some) => own.where('f.path', 'in', some));
  return new Map(rows.map((row) => [row.path, row]));
}

/** A picture of the author with these bytes that still exists. */
export const findPicture = (db: Queryable, ownerId: string, digest: string) =>
  firstOf(
    db
      .selectFrom('synced_files as f')
      .innerJoin('files', 'files.name', 'f.target')
      .select('f.target')
      .where('f.owner_id', '=', ownerId)
      .where('f.kind', '=', 'picture')
      .where('f.digest', '=', digest),
  );

/**
 * Stores a row in place of `former`, or of none; returns false if the stored row is another one. Marks the
 * articles that refer to a new or changed path.
 */
export async function putFile(trx: Trx, row: Row, former: SyncedFile | null): Promise<boolean> {
  const { owner_id, path, ...rest } = row;
  const isStored = former
    ? await isChanged(
        trx
          .updateTable('synced_files')
          .set(rest)
          .where('owner_id', '=', owner_id)
          .where('path', '=', path)
          .where('digest', '=', former.digest)
          .where('article_time', '=', former.article_time),
      )
    : ((
        await trx
          .insertInto('synced_files')
          .values(row)
          .onConflict((conflict) => conflict.columns(['owner_id', 'path']).doNothing())
          .executeTakeFirst()
      ).numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (isStored && former?.target !== row.target) await markStale(trx, { owner_id, path });
  return isStored;
}

/** Files per statement: those with 2,000 links each take 20 ms of the main thread. */
const STALE_BATCH_SIZE = 200;

async function markStale(trx: Trx, { owner_id, path }: Place): Promise<void> {
  const needs = [path, ...nameKeys(path).map(needOfName)].map((need) => JSON.stringify(need));
  let after = '';
  for (;;) {
    const rest = trx.selectFrom('synced_files').where('owner_id', '=', owner_id).where('path', '>', after);
    const last = await firstOf(
      rest
        .select('path')
        .orderBy('path')
        .offset(STALE_BATCH_SIZE - 1)
        .limit(1),
    );
    const batch = trx
      .updateTable('synced_files')
      .set({ is_stale: 1 })
      .where('owner_id', '=', owner_id)
      .where('path', '>', after)
      .where((eb) => eb.or(needs.map((need) => eb('needs', '!=', sql<string>`replace(needs, ${need}, '')`))));
    await (last ? batch.where('path', '<=', last.path) : batch).execute();
    if (!last) return;
    after = last.path;
  }
}

export async function deleteFile(trx: Trx, { owner_id, path }: Place): Promise<void> {
  await trx.deleteFrom('synced_files').where('owner_id', '=', owner_id).where('path', '=', path).execute();
  await markStale(trx, { owner_id, path });
}
