import type { Database, Queryable } from '../db/database.ts';
import type { BackupsTable } from '../db/schema/backup-schema.ts';

type Kind = BackupsTable['kind'];

export const selectBackups = (db: Queryable): Promise<BackupsTable[]> =>
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
  row: Omit<BackupsTable, 'kind'>,
  change: Partial<BackupsTable>,
): Promise<void> {
  await db.write((trx) =>
    trx
      .insertInto('backups')
      .values({ kind, ...row })
      .onConflict((conflict) => conflict.column('kind').doUpdateSet(change))
      .execute(),
  );
}
