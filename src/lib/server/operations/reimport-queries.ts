import type { Insertable } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Schema } from '../db/schema/schema.ts';

/** Stores the email address of a user, unless another account has taken it meanwhile. */
export async function insertEmail(
  trx: Trx,
  email: { user_id: string; address: string; create_time: number },
): Promise<void> {
  await trx
    .insertInto('user_emails')
    .values({ ...email, address_key: email.address.toLowerCase() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores a user's accounts at identity providers, except those that sign another account in. */
export async function insertIdentities(
  trx: Trx,
  rows: readonly Insertable<Schema['identities']>[],
): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('identities')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores a setting that the site does not have. */
export async function insertSetting(trx: Trx, row: Insertable<Schema['site_options']>): Promise<void> {
  await trx
    .insertInto('site_options')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Sets a picture of an open account that has none. */
export async function setFirstPicture(
  trx: Trx,
  userId: string,
  column: 'avatar' | 'thanks',
  picture: string,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ [column]: picture })
    .where('id', '=', userId)
    .where(column, '=', '')
    .where('closed', '=', '')
    .execute();
}
