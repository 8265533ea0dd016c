import type { Queryable, Trx } from '../db/database.ts';

/** The address that a user has shown to be theirs, or null. */
export async function findEmail(db: Queryable, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_emails')
    .select('address')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.address ?? null;
}

/** The addresses that those of the users who have one have shown to be theirs, by user. */
export async function listAddresses(db: Queryable, userIds: readonly string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('user_emails')
    .select(['user_id', 'address'])
    .where('user_id', 'in', [...userIds])
    .execute();
  return new Map(rows.map(({ user_id, address }) => [user_id, address]));
}

/** Who has shown that an address, in lower case, is theirs; null when nobody has. */
export async function findOwner(db: Queryable, addressKey: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_emails')
    .select('user_id as userId')
    .where('address_key', '=', addressKey)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** The name of a user, or null when there is none. */
export async function findName(db: Queryable, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username ?? null;
}

/** Stores a user's address in place of a former one. */
export async function replaceEmail(
  trx: Trx,
  userId: string,
  { address, addressKey, instant }: { address: string; addressKey: string; instant: number },
): Promise<void> {
  await deleteEmail(trx, userId);
  await trx
    .insertInto('user_emails')
    .values({ user_id: userId, address, address_key: addressKey, create_time: instant })
    .execute();
}

/** Forgets a user's address. */
export async function deleteEmail(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('user_emails').where('user_id', '=', userId).execute();
}
