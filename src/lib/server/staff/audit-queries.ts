import { sql, type Insertable, type SqlBool } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { perform } from '../db/perform.ts';
import { literal } from '../db/prepared.ts';
import type { AuditLogTable } from '../db/schema/staff-schema.ts';

/** Adds an entry; entries cannot be changed or removed (migrations/0022-staff.ts). */
export async function insertAudit(trx: Trx, row: Insertable<AuditLogTable>): Promise<void> {
  await perform(trx, trx.insertInto('audit_log').values(row));
}

export async function nameOf(trx: Trx, id: string): Promise<string> {
  const row = await trx.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst();
  return row?.username ?? '';
}

export function selectAudit(db: Queryable, keywords: string) {
  const query = db.selectFrom('audit_log');
  if (keywords === '') return query;
  const pattern = `%${keywords.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const text = sql`lower(actor_name || ' ' || action || ' ' || subject_id || ' ' || before || ' ' || after)`;
  return query.where(sql<SqlBool>`${text} like ${pattern} escape '\\'`);
}

export const countAudit = async (query: ReturnType<typeof selectAudit>): Promise<number> =>
  (await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;

export const listAudit = (
  query: ReturnType<typeof selectAudit>,
  { offset, limit }: { offset: number; limit: number },
) =>
  query
    .selectAll()
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .offset(literal(offset))
    .limit(literal(limit))
    .execute();
