import { USER_NOTICES, type NoticeMode, type UserNotice } from '../../contract/rules/notice-kinds.ts';
import { namesOf } from '../../contract/titled.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { among, valuesOf } from '../db/lists.ts';

export interface NoticeSettings {
  mode: NoticeMode;
  kinds: UserNotice[];
}

const ALL_KINDS = namesOf(USER_NOTICES);
/** Used until a user changes them. */
const DEFAULTS: NoticeSettings = { mode: 'now', kinds: [...ALL_KINDS] };

export async function findSettings(db: Queryable, userIds: readonly string[]) {
  const found = new Map(userIds.map((id) => [id, DEFAULTS]));
  const settings = db.selectFrom('notice_settings').selectAll();
  const rows = await among(userIds, (some) => settings.where('user_id', 'in', some));
  for (const { user_id, mode, kinds } of rows) {
    const wanted = kinds.split(',');
    found.set(user_id, { mode, kinds: ALL_KINDS.filter((kind) => wanted.includes(kind)) });
  }
  return found;
}

export async function putSettings(trx: Trx, userId: string, { mode, kinds }: NoticeSettings): Promise<void> {
  const values = { mode, kinds: kinds.join(',') };
  await trx
    .insertInto('notice_settings')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

export const listStaff = (db: Queryable): Promise<string[]> =>
  valuesOf(db.selectFrom('users').select('id').where('role', '<>', 'author'));

export const listOperators = (db: Queryable): Promise<string[]> =>
  valuesOf(db.selectFrom('users').select('id').where('role', '=', 'operator'));
