import type { Queryable, Trx } from '../../db/database.ts';

export async function findEmail(db: Queryable, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_emails')
    .select('address')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.address ?? null;
}

export async function listAddresses(db: Queryable, userIds: readonly string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('user_emails')
    .select(['user_id', 'address'])
    .where('user_id', 'in', [...userIds])
    .execute();
  return new Map(rows.map(({ user_id, address }) => [user_id, address]));
}

export async function findOwner(db: Queryable, addressKey: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_emails')
    .select('user_id as userId')
    .where('address_key', '=', addressKey)
    .executeTakeFirst();
  return row?.userId ?? null;
}

export async function findName(db: Queryable, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username ?? null;
}

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

export async function deleteEmail(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('user_emails').where('user_id', '=', userId).execute();
}
