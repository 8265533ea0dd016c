import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { foldName } from '../../contract/rules/names.ts';
import type { Database, Queryable, Trx } from '../db/database.ts';
import { addToTotal, type StoredCounter } from '../db/stored-counters.ts';
import type { UsersTable } from '../db/schema/schema.ts';
import { firstOf, isChanged, isFound } from '../db/lists.ts';
import { refreshKept } from './former-queries.ts';
import { asClean, type CleanText } from '../shared/clean-text.ts';
import { SKELETON_VERSION, skeletonsOf } from './skeletons.ts';

/** Columns that leave this folder; the password hash must not be among them. */
const PUBLIC_COLUMNS = [
  'id',
  'username',
  'avatar',
  'thanks',
  'gender',
  'bio',
  'display_name',
  'website',
  'links',
  'create_time',
  'page_num',
  'secret_num',
  'draft_num',
  'role',
  'ban_hides',
] as const;
const BATCH_SIZE = 500;

export type UserRow = Pick<Selectable<UsersTable>, (typeof PUBLIC_COLUMNS)[number]>;

/** The columns that `insertUser` does not derive. */
type NewUserRow = Omit<
  Insertable<UsersTable>,
  'username_key' | 'avatar' | keyof ReturnType<typeof skeletonColumns>
>;

export const findUserByName = (db: Queryable, username: string): Promise<UserRow | null> =>
  firstOf(db.selectFrom('users').select(PUBLIC_COLUMNS).where('username_key', '=', foldName(username)));

export const findUserById = (db: Queryable, id: string): Promise<UserRow | null> =>
  firstOf(db.selectFrom('users').select(PUBLIC_COLUMNS).where('id', '=', id));

/** Returns the hash that a password is checked against, or null if there is no such user. */
export function findCredentials(db: Queryable, by: { username: string } | { id: string }) {
  const users = db.selectFrom('users').select(['id', 'password_hash']);
  return firstOf(
    'id' in by ? users.where('id', '=', by.id) : users.where('username_key', '=', foldName(by.username)),
  );
}

/**
 * Returns 'same' if a user other than `exceptId` has that name, ignoring case and width, 'similar' for a
 * look-alike, or null.
 */
export async function findClash(
  db: Queryable,
  username: string,
  exceptId = '',
): Promise<'same' | 'similar' | null> {
  const skeletons = Object.values(skeletonsOf(username));
  const rows = await db
    .selectFrom('users')
    .select('username_key')
    .where((eb) => eb.or([eb('skeleton', 'in', skeletons), eb('written_skeleton', 'in', skeletons)]))
    .where('id', '!=', exceptId)
    .execute();
  if (rows.length === 0) return null;
  const key = foldName(username);
  return rows.some((row) => row.username_key === key) ? 'same' : 'similar';
}

/** Whether a user other than `exceptId` has a display name that equals the username or looks like it. */
export async function isDisplayed(db: Queryable, username: string, exceptId = ''): Promise<boolean> {
  const skeletons = Object.values(skeletonsOf(username));
  return isFound(
    db
      .selectFrom('users')
      .select('id')
      .where((eb) =>
        eb.or([eb('display_skeleton', 'in', skeletons), eb('written_display_skeleton', 'in', skeletons)]),
      )
      .where('display_name', '!=', '')
      .where('id', '!=', exceptId),
  );
}

/** Inserts a user, and counts it unless it is closed. Throws the constraint's error if the name is taken. */
export async function insertUser(trx: Trx, user: NewUserRow): Promise<void> {
  const { username, closed = '' } = user;
  await trx
    .insertInto('users')
    .values({ ...user, username_key: foldName(username), avatar: '', ...skeletonColumns(username) })
    .execute();
  if (closed === '') await addToTotal(trx, 'users', 1);
}

type UserChange = Pick<
  UsersTable,
  | 'bio'
  | 'gender'
  | 'avatar'
  | 'thanks'
  | 'password_hash'
  | 'display_name'
  | 'display_name_time'
  | 'website'
  | 'links'
>;

export async function updateUser(trx: Trx, id: string, change: Updateable<UserChange>): Promise<boolean> {
  const { display_name } = change;
  const columns = display_name === undefined ? change : { ...change, ...displayColumns(display_name) };
  return isChanged(trx.updateTable('users').set(columns).where('id', '=', id));
}

/** Returns the names of a user, and when the user changed them last. */
export async function findNames(db: Queryable, id: string) {
  const users = db.selectFrom('users').where('id', '=', id);
  return firstOf(users.select(['username', 'username_time', 'display_name', 'display_name_time']));
}

/** Whether the user uploaded `picture` for articles. */
export const hasPicture = (db: Queryable, id: string, picture: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('files')
      .select('name')
      .where('name', '=', picture)
      .where('owner_id', '=', id)
      .where('kind', '=', 'image'),
  );

export async function renameUser(trx: Trx, id: string, username: CleanText, username_time: number) {
  await trx
    .updateTable('users')
    .set({ username, username_time, username_key: foldName(username), ...skeletonColumns(username) })
    .where('id', '=', id)
    .execute();
}

export const hasPasswordHash = (trx: Trx, id: string, hash: string): Promise<boolean> =>
  isFound(trx.selectFrom('users').select('id').where('id', '=', id).where('password_hash', '=', hash));

export function skeletonColumns(username: string) {
  const { folded, written } = skeletonsOf(username);
  return { skeleton: folded, written_skeleton: written, skeleton_version: SKELETON_VERSION };
}

/** Returns a display name and its skeletons; signs and spaces do not hide another name in it. */
export function displayColumns(display_name: CleanText) {
  const { folded, written } = skeletonsOf(lettersOf(display_name));
  return { display_name, display_skeleton: folded, written_display_skeleton: written };
}

export const lettersOf = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}_-]/gu, '');

/**
 * Computes missing skeletons of this version in batches, one transaction each; processes share the work.
 * Cannot recompute the skeletons of hashed names.
 */
export async function fillSkeletons(db: Pick<Database, 'write'>): Promise<void> {
  const fillBatch = async (trx: Trx): Promise<number> => {
    const users = await trx
      .selectFrom('users')
      .select(['id', 'username', 'display_name'])
      .where('skeleton_version', '<', SKELETON_VERSION)
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, username, display_name } of users) {
      const columns = { ...skeletonColumns(username), ...displayColumns(asClean(display_name, 'stored')) };
      await trx.updateTable('users').set(columns).where('id', '=', id).execute();
      await refreshKept(trx, id);
    }
    return users.length;
  };
  while ((await db.write(fillBatch)) > 0);
}

export async function selectUsers(db: Queryable): Promise<UserRow[]> {
  return db.selectFrom('users').select(PUBLIC_COLUMNS).orderBy('create_time').orderBy('id').execute();
}

export const USER_NUMBERS: StoredCounter = {
  table: 'counters',
  key: 'name',
  column: 'value',
  truth: sql`select 'users' as key, count(*) as value from users`,
  only: sql`counter.name = 'users'`,
};
