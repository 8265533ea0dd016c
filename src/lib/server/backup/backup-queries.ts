import type { Database, Queryable } from '../db/database.ts';
import type { Schema } from '../db/schema/schema.ts';

type Backup = Schema['backups'];
type Kind = Backup['kind'];

export const selectBackups = (db: Queryable): Promise<Backup[]> =>
  db.selectFrom('backups').selectAll().execute();

/** Records a complete backup, and clears the last error. */
export async function recordBackup(
  db: Database,
  kind: Kind,
  { time, bytes }: { time: number; bytes: number },
): Promise<void> {
  const fields = { time, bytes, error: '', error_time: null };
  await put(db, kind, fields, fields);
}

export async function recordFailure(db: Database, kind: Kind, error: string, now: number): Promise<void> {
  const fields = { error, error_time: now };
  await put(db, kind, { time: null, bytes: 0, ...fields }, fields);
}

async function put(
  db: Database,
  kind: Kind,
  row: Omit<Backup, 'kind'>,
  change: Partial<Backup>,
): Promise<void> {
  await db.write((trx) =>
    trx
      .insertInto('backups')
      .values({ kind, ...row })
      .onConflict((conflict) => conflict.column('kind').doUpdateSet(change))
      .execute(),
  );
}
