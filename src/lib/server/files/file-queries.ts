import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import type { FilesTable } from '../db/schema/schema.ts';

export async function insertFile(trx: Trx, row: Insertable<FilesTable>): Promise<void> {
  await trx.insertInto('files').values(row).execute();
}

/** Deletes a file's row, if there is one; returns the size of the file. */
export async function deleteFile(trx: Trx, name: string): Promise<number> {
  const row = await trx.deleteFrom('files').where('name', '=', name).returning('bytes').executeTakeFirst();
  return row?.bytes ?? 0;
}

export async function selectNames(db: Queryable, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('files').select('name').where('name', 'in', names).execute();
  return new Set(rows.map((row) => row.name));
}

export async function listNamesAfter(db: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('name')
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
