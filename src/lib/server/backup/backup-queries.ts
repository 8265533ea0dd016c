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

/** Result of restoring an archive into a temporary database. */
export interface ArchiveCheck {
  name: string;
  time: number;
  isSound: boolean;
  text: string;
}
/** Row of `site_options` besides the operator's options. */
const CHECK = 'backup_check';

export async function selectCheck(db: Queryable): Promise<ArchiveCheck | null> {
  const row = await db
    .selectFrom('site_options')
    .select('value')
    .where('name', '=', CHECK)
    .executeTakeFirst();
  return row ? (JSON.parse(row.value) as ArchiveCheck) : null;
}

export async function storeCheck(db: Database, check: ArchiveCheck): Promise<void> {
  const value = JSON.stringify(check);
  await db.write((trx) =>
    trx
      .insertInto('site_options')
      .values({ name: CHECK, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );
}
