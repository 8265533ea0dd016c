import type { Insertable } from 'kysely';
import type { AccountTicketsTable } from '../../db/schema/account-schema.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { countOf, TOTAL } from '../../db/lists.ts';

export async function insertTicket(trx: Trx, row: Insertable<AccountTicketsTable>): Promise<void> {
  await trx.insertInto('account_tickets').values(row).execute();
}

export async function findTicket(
  db: Queryable,
  { hash, kind, instant }: { hash: string; kind: string; instant: number },
): Promise<{ userId: string | null; payload: string } | null> {
  const row = await db
    .selectFrom('account_tickets')
    .select(['user_id as userId', 'payload'])
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expire_time', '>', instant)
    .executeTakeFirst();
  return row ?? null;
}

export const countTickets = (
  db: Queryable,
  { userId, kind, instant }: { userId: string; kind: string; instant: number },
): Promise<number> =>
  countOf(
    db
      .selectFrom('account_tickets')
      .select(TOTAL)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('expire_time', '>', instant),
  );

export async function deleteTicket(trx: Trx, hash: string): Promise<boolean> {
  const result = await trx.deleteFrom('account_tickets').where('hash', '=', hash).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteTicketsOf(trx: Trx, userId: string, kind?: string): Promise<void> {
  const all = trx.deleteFrom('account_tickets').where('user_id', '=', userId);
  await (kind === undefined ? all : all.where('kind', '=', kind)).execute();
}

export async function deleteTicketsBefore(trx: Trx, instant: number): Promise<void> {
  await trx.deleteFrom('account_tickets').where('expire_time', '<=', instant).execute();
}
