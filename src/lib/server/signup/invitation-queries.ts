import type { Queryable, Trx } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import type { InvitationsTable } from '../db/schema/signup-schema.ts';

export async function insertInvitation(trx: Trx, row: InvitationsTable): Promise<void> {
  await trx.insertInto('invitations').values(row).execute();
}

export const findByCode = (db: Queryable, code: string) =>
  db.selectFrom('invitations').selectAll().where('code', '=', code).executeTakeFirst();

export const findInvitation = (db: Queryable, id: string) =>
  db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst();

export async function noteUse(trx: Trx, { id, userId, now }: { id: string; userId: string; now: number }) {
  await trx
    .updateTable('invitations')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await trx
    .insertInto('invitation_uses')
    .values({ user_id: userId, invitation_id: id, create_time: now })
    .execute();
}

export async function endInvitation(trx: Trx, id: string, now: number): Promise<void> {
  await trx.updateTable('invitations').set({ end_time: now }).where('id', '=', id).execute();
}

export const listInvitations = (db: Queryable, limit: number) =>
  db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.creator_id')
    .selectAll('invitations')
    .select('users.username as creator')
    .orderBy('invitations.create_time', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(literal(limit))
    .execute();

export async function listGuests(db: Queryable, ids: readonly string[]): Promise<Map<string, string[]>> {
  const guests = new Map<string, string[]>();
  if (ids.length === 0) return guests;
  const rows = await db
    .selectFrom('invitation_uses')
    .innerJoin('users', 'users.id', 'invitation_uses.user_id')
    .select(['invitation_uses.invitation_id', 'users.username'])
    .where('invitation_uses.invitation_id', 'in', ids)
    .orderBy('invitation_uses.create_time')
    .orderBy('users.id')
    .execute();
  for (const { invitation_id, username } of rows)
    guests.set(invitation_id, [...(guests.get(invitation_id) ?? []), username]);
  return guests;
}
