import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { firstValue, valuesOf } from '../db/lists.ts';
import type { FilesTable } from '../db/schema/schema.ts';

export async function insertFile(trx: Trx, row: Insertable<FilesTable>): Promise<void> {
  await trx.insertInto('files').values(row).execute();
}

/** Deletes a file's row, if there is one; returns the size of the file. */
export const deleteFile = async (trx: Trx, name: string): Promise<number> =>
  (await firstValue(trx.deleteFrom('files').where('name', '=', name).returning('bytes'))) ?? 0;

export const selectNames = async (db: Queryable, names: readonly string[]): Promise<Set<string>> =>
  new Set(await valuesOf(db.selectFrom('files').select('name').where('name', 'in', names)));

export const listNamesAfter = (db: Queryable, after: string, limit: number): Promise<string[]> =>
  valuesOf(db.selectFrom('files').select('name').where('name', '>', after).orderBy('name').limit(limit));
