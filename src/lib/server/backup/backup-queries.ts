import type { Database, Queryable } from '../db/database.ts';
import type { BackupsTable } from '../db/backup-schema.ts';

type Kind = BackupsTable['kind'];

/** The last backup of each kind. */
export const selectBackups = (db: Queryable): Promise<BackupsTable[]> =>
  db.selectFrom('backups').selectAll().execute();

/** Notes a whole backup of that kind. */
export async function recordBackup(
  db: Database,
  kind: Kind,
  { time, bytes }: { time: number; bytes: number },
): Promise<void> {
  const fields = { time, bytes, error: '', error_time: null };
  await put(db, kind, fields, fields);
}

/** Notes that one failed; the last whole one stays noted. */
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
