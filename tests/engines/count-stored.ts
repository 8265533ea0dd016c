import { sql } from 'kysely';
import type { Database } from '../../src/lib/server/db/database.ts';
import { quotas } from '../../src/lib/server/db/migrations/0006-quotas.ts';

/** Recomputes the stored bytes of every account with the migration's statement. */
export async function countStored(db: Database): Promise<void> {
  const statement = quotas[db.engine].find((text) => text.startsWith('update users set stored_bytes'));
  if (statement === undefined) throw new Error('the migration no longer counts what is stored');
  await db.write((trx) => sql.raw(statement).execute(trx));
}
