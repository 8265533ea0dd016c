import type { Queryable, Trx } from '../db/database.ts';
import { firstOf } from '../db/lists.ts';

interface Key {
  issuer: string;
  subject: string;
}

/** Returns id and name of the user whom an identity signs in, or null. */
export const findOwner = (db: Queryable, { issuer, subject }: Key) =>
  firstOf(
    db
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.user_id')
      .select(['users.id', 'users.username'])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject),
  );

export const listIdentities = (db: Queryable, userId: string) =>
  db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'name', 'create_time as createTime', 'last_used as lastUsed'])
    .where('user_id', '=', userId)
    .orderBy('create_time')
    .orderBy('issuer')
    .execute();

export async function insertIdentity(
  trx: Trx,
  { issuer, subject, name }: Key & { name: string },
  { userId, instant }: { userId: string; instant: number },
): Promise<void> {
  await trx
    .insertInto('identities')
    .values({ issuer, subject, name, user_id: userId, create_time: instant, last_used: instant })
    .execute();
}

export async function touchIdentity(
  trx: Trx,
  { issuer, subject, name }: Key & { name: string },
  instant: number,
): Promise<void> {
  await trx
    .updateTable('identities')
    .set({ last_used: instant, ...(name === '' ? {} : { name }) })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

export async function deleteIdentity(trx: Trx, userId: string, issuer: string): Promise<void> {
  await trx.deleteFrom('identities').where('user_id', '=', userId).where('issuer', '=', issuer).execute();
}
