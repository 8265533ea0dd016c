import { foldName } from '../../contract/names.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Queryable, Trx } from '../db/database.ts';

export interface Member {
  id: string;
  username: string;
  role: Role;
}

/** The account with that id, or null. */
export async function findMemberById(db: Queryable, id: string): Promise<Member | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The account of that name, without regard to case or width, or null. */
export async function findMember(db: Queryable, username: string): Promise<Member | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('username_key', '=', foldName(username))
    .executeTakeFirst();
  return row ?? null;
}

export async function updateRole(trx: Trx, id: string, role: Role): Promise<void> {
  await trx.updateTable('users').set({ role }).where('id', '=', id).execute();
}

/** How many operators there are. */
export async function countOperators(db: Queryable): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('role', '=', 'operator')
    .executeTakeFirstOrThrow();
  return row.total;
}

export async function insertLink(trx: Trx, hash: string, expireTime: number): Promise<void> {
  await trx.insertInto('operator_links').values({ hash, expire_time: expireTime }).execute();
}

/** Whether there is such a link, and its time is not over at `instant` (milliseconds). */
export async function hasLink(db: Queryable, hash: string, instant: number): Promise<boolean> {
  const row = await db
    .selectFrom('operator_links')
    .select('hash')
    .where('hash', '=', hash)
    .where('expire_time', '>', instant)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets every link. */
export async function deleteLinks(trx: Trx): Promise<void> {
  await trx.deleteFrom('operator_links').execute();
}

/** Those of `ids` who are staff, and not banned now. */
export async function listRoles(
  db: Queryable,
  ids: readonly string[],
  now: number,
): Promise<{ id: string; role: Role }[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', 'in', [...ids])
    .where('role', '<>', 'author')
    .where((eb) => eb.or([eb('banned_until', 'is', null), eb('banned_until', '<=', now)]))
    .execute();
}
