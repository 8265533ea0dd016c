import { sql } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import type { Schema } from '../db/schema/schema.ts';
import { among, isFound, valuesOf } from '../db/lists.ts';

export type BytesByOwner = Map<string, number>;

/** Records smaller copies, except those whose picture is gone. @returns the added bytes */
export async function putVariants(trx: Trx, variants: readonly Schema['picture_variants'][]) {
  const added: BytesByOwner = new Map();
  if (variants.length === 0) return added;
  const pictures = await trx
    .selectFrom('files')
    .select(['name', 'owner_id'])
    .where(
      'name',
      'in',
      variants.map(({ picture }) => picture),
    )
    .execute();
  const owners = new Map(pictures.map(({ name, owner_id }) => [name, owner_id]));
  const files = variants.map(({ file }) => file);
  const recorded = await selectVariants(trx, files);
  const rows = variants.filter(({ picture }) => owners.has(picture));
  for (const { file, picture, bytes } of rows) {
    const owner = owners.get(picture) ?? '';
    added.set(owner, (added.get(owner) ?? 0) + bytes - (recorded.get(file)?.bytes ?? 0));
  }
  if (rows.length > 0)
    await trx
      .insertInto('picture_variants')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('file').doUpdateSet((eb) => ({
          bytes: eb.ref('excluded.bytes'),
          asked_day: eb.ref('excluded.asked_day'),
        })),
      )
      .execute();
  return added;
}

/** Deletes the records of copies. @returns the freed bytes */
export async function deleteVariants(trx: Trx, files: readonly string[]): Promise<BytesByOwner> {
  if (files.length === 0) return new Map();
  const rows = await trx
    .selectFrom('picture_variants')
    .innerJoin('files', 'files.name', 'picture_variants.picture')
    .select((eb) => ['owner_id', eb.fn.sum<number | string>('picture_variants.bytes').as('bytes')])
    .where('file', 'in', files)
    .groupBy('owner_id')
    .execute();
  await trx.deleteFrom('picture_variants').where('file', 'in', files).execute();
  return new Map(rows.map(({ owner_id, bytes }) => [owner_id, Number(bytes)]));
}

export async function selectVariants(db: Queryable, files: readonly string[]) {
  const variants = db.selectFrom('picture_variants').selectAll();
  const rows = await among(files, (some) => variants.where('file', 'in', some));
  return new Map(rows.map((row) => [row.file, row]));
}

export const listVariantsAfter = (db: Queryable, after: string, limit: number): Promise<string[]> =>
  valuesOf(
    db.selectFrom('picture_variants').select('file').where('file', '>', after).orderBy('file').limit(limit),
  );

export const listVariantsAskedBefore = (db: Queryable, day: number, limit: number): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('picture_variants')
      .select('file')
      .where('asked_day', '<', day)
      .orderBy('asked_day')
      .limit(limit),
  );

export async function markAsked(trx: Trx, files: readonly string[], day: number): Promise<void> {
  await trx
    .updateTable('picture_variants')
    .set({ asked_day: day })
    .where('file', 'in', files)
    .where('asked_day', '<', day)
    .execute();
}

export async function sumVariants(db: Queryable, pictures: readonly string[]): Promise<number> {
  if (pictures.length === 0) return 0;
  const row = await db
    .selectFrom('picture_variants')
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('bytes'))
    .where('picture', 'in', pictures)
    .executeTakeFirstOrThrow();
  return Number(row.bytes ?? 0);
}

export async function sumUploads(db: Queryable): Promise<number> {
  const { rows } = await sql<{ bytes: number | string | null }>`select
    coalesce((select sum(bytes) from files), 0) + coalesce((select sum(bytes) from picture_variants), 0) as bytes`.execute(
    db,
  );
  return Number(rows[0]?.bytes ?? 0);
}

const WARNED = 'uploads_warned';

/** Records whether staff were notified of low space; returns false if nothing changed. */
export async function rememberWarned(trx: Trx, isNear: boolean): Promise<boolean> {
  const wasNear = await isFound(trx.selectFrom('site_options').select('name').where('name', '=', WARNED));
  if (wasNear === isNear) return false;
  if (isNear) await trx.insertInto('site_options').values({ name: WARNED, value: 'true' }).execute();
  else await trx.deleteFrom('site_options').where('name', '=', WARNED).execute();
  return true;
}
