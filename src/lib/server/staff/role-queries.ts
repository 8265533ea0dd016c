import { foldName } from '../../contract/rules/names.ts';
import type { Role } from '../../contract/rules/permissions.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, among, countOf, firstOf, isFound } from '../db/lists.ts';

export interface Member {
  id: string;
  username: string;
  role: Role;
}

export const findMemberById = (db: Queryable, id: string): Promise<Member | null> =>
  firstOf(db.selectFrom('users').select(['id', 'username', 'role']).where('id', '=', id));

/** Finds an account by name, ignoring case and width. */
export const findMember = (db: Queryable, username: string): Promise<Member | null> =>
  firstOf(
    db.selectFrom('users').select(['id', 'username', 'role']).where('username_key', '=', foldName(username)),
  );

export async function updateRole(trx: Trx, id: string, role: Role): Promise<void> {
  await trx.updateTable('users').set({ role }).where('id', '=', id).execute();
}

export const countOperators = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('users').select(TOTAL).where('role', '=', 'operator'));

export async function insertLink(trx: Trx, hash: string, expireTime: number): Promise<void> {
  await trx.insertInto('operator_links').values({ hash, expire_time: expireTime }).execute();
}

/** Whether the link exists and has not expired at `instant` (milliseconds). */
export const hasLink = (db: Queryable, hash: string, instant: number): Promise<boolean> =>
  isFound(
    db
      .selectFrom('operator_links')
      .select('hash')
      .where('hash', '=', hash)
      .where('expire_time', '>', instant),
  );

export async function deleteLinks(trx: Trx): Promise<void> {
  await trx.deleteFrom('operator_links').execute();
}

export function listRoles(db: Queryable, ids: readonly string[], now: number) {
  const staff = db
    .selectFrom('users')
    .select(['id', 'role'])
    .where('role', '<>', 'author')
    .where((eb) => eb.or([eb('banned_until', 'is', null), eb('banned_until', '<=', now)]));
  return among(ids, (some) => staff.where('id', 'in', some));
}
