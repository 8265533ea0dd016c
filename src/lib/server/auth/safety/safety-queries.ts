import type { Queryable, Trx } from '../../db/database.ts';
import type { Insertable, InferResult } from 'kysely';
import type { Schema } from '../../db/schema/schema.ts';
import { TOTAL, among, countOf, firstOf, firstValue, isChanged } from '../../db/lists.ts';

export const findEmail = (db: Queryable, userId: string): Promise<string | null> =>
  firstValue(db.selectFrom('user_emails').select('address').where('user_id', '=', userId));

export async function listAddresses(db: Queryable, userIds: readonly string[]): Promise<Map<string, string>> {
  const emails = db.selectFrom('user_emails').select(['user_id', 'address']);
  const rows = await among(userIds, (some) => emails.where('user_id', 'in', some));
  return new Map(rows.map(({ user_id, address }) => [user_id, address]));
}

export const findOwner = (db: Queryable, addressKey: string): Promise<string | null> =>
  firstValue(db.selectFrom('user_emails').select('user_id').where('address_key', '=', addressKey));

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

type PasskeyRow = InferResult<ReturnType<typeof all>>[number];

const all = (db: Queryable) =>
  db.selectFrom('passkeys').select([
    'id',
    'user_id as userId',
    'name',
    // COSE, base64url.
    'public_key as publicKey',
    'sign_count as signCount',
    'transports',
    'create_time as createTime',
    'last_used as lastUsed',
  ]);

export const findPasskey = (db: Queryable, id: string) => firstOf(all(db).where('id', '=', id));

export const listPasskeys = (db: Queryable, userId: string) =>
  all(db).where('user_id', '=', userId).orderBy('create_time').orderBy('id').execute();

/** Stores a passkey; returns false if the id exists. */
export async function insertPasskey(trx: Trx, row: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('passkeys')
    .values({
      id: row.id,
      user_id: row.userId,
      name: row.name,
      public_key: row.publicKey,
      sign_count: row.signCount,
      transports: row.transports,
      create_time: row.createTime,
      last_used: row.lastUsed,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function touchPasskey(
  trx: Trx,
  id: string,
  { signCount, lastUsed }: Pick<PasskeyRow, 'signCount' | 'lastUsed'>,
): Promise<void> {
  await trx
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used: lastUsed })
    .where('id', '=', id)
    .execute();
}

export const renamePasskey = (trx: Trx, userId: string, id: string, name: string): Promise<boolean> =>
  isChanged(trx.updateTable('passkeys').set({ name }).where('user_id', '=', userId).where('id', '=', id));

export async function deletePasskeys(trx: Trx, userId: string, id?: string): Promise<void> {
  const own = trx.deleteFrom('passkeys').where('user_id', '=', userId);
  await (id === undefined ? own : own.where('id', '=', id)).execute();
}

export async function insertTicket(trx: Trx, row: Insertable<Schema['account_tickets']>): Promise<void> {
  await trx.insertInto('account_tickets').values(row).execute();
}

export const findTicket = (
  db: Queryable,
  { hash, kind, instant }: { hash: string; kind: string; instant: number },
) =>
  firstOf(
    db
      .selectFrom('account_tickets')
      .select(['user_id as userId', 'payload'])
      .where('hash', '=', hash)
      .where('kind', '=', kind)
      .where('expire_time', '>', instant),
  );

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

export async function deleteTicket(trx: Trx, hash: string): Promise<void> {
  await trx.deleteFrom('account_tickets').where('hash', '=', hash).execute();
}

export async function deleteTicketsOf(trx: Trx, userId: string, kind?: string): Promise<void> {
  const all = trx.deleteFrom('account_tickets').where('user_id', '=', userId);
  await (kind === undefined ? all : all.where('kind', '=', kind)).execute();
}

export async function deleteTicketsBefore(trx: Trx, instant: number): Promise<void> {
  await trx.deleteFrom('account_tickets').where('expire_time', '<=', instant).execute();
}

export const findTotp = (db: Queryable, userId: string) =>
  firstOf(
    db.selectFrom('user_totps').select(['secret', 'last_step as lastStep']).where('user_id', '=', userId),
  );

export async function insertTotp(
  trx: Trx,
  userId: string,
  { secret, lastStep, instant }: { secret: string; lastStep: number; instant: number },
): Promise<void> {
  await trx
    .insertInto('user_totps')
    .values({ user_id: userId, secret, last_step: lastStep, create_time: instant })
    .execute();
}

/** Records that the code of `step` was used; returns false if it or a later one was used before. */
export const takeStep = (trx: Trx, userId: string, step: number): Promise<boolean> =>
  isChanged(
    trx
      .updateTable('user_totps')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step),
  );

export async function deleteTotp(trx: Trx, userId: string): Promise<boolean> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return isChanged(trx.deleteFrom('user_totps').where('user_id', '=', userId));
}

export async function replaceCodes(trx: Trx, userId: string, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = hashes.map((hash) => ({ user_id: userId, hash }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

export const takeCode = (trx: Trx, userId: string, hash: string): Promise<boolean> =>
  isChanged(trx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('hash', '=', hash));

export const countCodes = (db: Queryable, userId: string): Promise<number> =>
  countOf(db.selectFrom('recovery_codes').select(TOTAL).where('user_id', '=', userId));
