import { sql, type Insertable } from 'kysely';
import type { AuditAction } from '../../contract/rules/audit.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, among, contains, readPage } from '../db/lists.ts';
import { perform } from '../db/perform.ts';
import type { Schema } from '../db/schema/schema.ts';
import type { PageRequest } from '../shared/paging.ts';

/** Adds an entry; entries cannot be changed or removed (migrations/0022-staff.ts). */
export const insertAudit = (trx: Trx, row: Insertable<Schema['audit_log']>): Promise<void> =>
  perform(trx, trx.insertInto('audit_log').values(row));

export async function listNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const users = db.selectFrom('users').select(['id', 'username']);
  const rows = await among(ids, (some) => users.where('id', 'in', some));
  return new Map(rows.map(({ id, username }) => [id, username]));
}

const searched = sql`actor_name || ' ' || action || ' ' || subject_id || ' ' || before || ' ' || after`;

/** Entries that contain the keywords, or have one of `actions`. */
export function readAudit(
  db: Queryable,
  filter: PageRequest & { keywords: string; actions: readonly AuditAction[] },
) {
  const { keywords, actions } = filter;
  const query = db
    .selectFrom('audit_log')
    .where((eb) =>
      eb.or([contains(keywords, searched), ...(actions.length === 0 ? [] : [eb('action', 'in', actions)])]),
    );
  const listing = query.selectAll().orderBy('create_time', 'desc').orderBy('id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}
