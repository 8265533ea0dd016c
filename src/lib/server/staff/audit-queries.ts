import type { Insertable } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { AuditLogTable } from '../db/staff-schema.ts';

/** Adds what staff did; there is no way to change or remove it (migrations/0022-staff.ts). */
export async function insertAudit(trx: Trx, row: Insertable<AuditLogTable>): Promise<void> {
  await trx.insertInto('audit_log').values(row).execute();
}

/** The name of whoever acts, or the empty string. */
export async function nameOf(trx: Trx, id: string): Promise<string> {
  const row = await trx.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst();
  return row?.username ?? '';
}
