import { foldName } from '../../contract/rules/names.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { hashOf } from '../shared/seal.ts';
import { skeletonsOf } from './skeletons.ts';
import { DAY_MS } from '../../shared/units.ts';

const RESERVATION_MS = 180 * DAY_MS;

export interface Named {
  id: string;
  username: string;
}

/**
 * Reserves the current and former names of a closed account inside `trx`. Only hashes are stored, without a
 * reference to the account.
 */
export async function reserveClosedName(trx: Trx, { id, username }: Named, now: number): Promise<void> {
  await putFormerName(trx, username, null, now);
  await trx.updateTable('former_names').set({ user_id: null }).where('user_id', '=', id).execute();
}

/** Reserves the former name of a renamed account inside `trx`; its owner may still sign in with it. */
export const reserveRenamed = (trx: Trx, { id, username }: Named, now: number): Promise<void> =>
  putFormerName(trx, username, id, now);

/** Whether `username` is, or looks like, a name that another account had within the last 180 days. */
export async function isFormerName(db: Queryable, username: string, now: number): Promise<boolean> {
  const { folded, written } = skeletonsOf(username);
  const hashes = [hashOf(folded), hashOf(written)];
  const row = await db
    .selectFrom('former_names')
    .select('name_hash')
    .where((eb) => eb.or([eb('skeleton_hash', 'in', hashes), eb('written_hash', 'in', hashes)]))
    .where('end_time', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the id of the account that was called `username` until staff renamed it, or null. */
export async function findRenamed(db: Queryable, username: string, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('former_names')
    .select('user_id')
    .where('name_hash', '=', hashOf(foldName(username)))
    .where('end_time', '>', now)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

export async function deleteEndedReservations(trx: Trx, now: number): Promise<void> {
  await trx.deleteFrom('former_names').where('end_time', '<=', now).execute();
}

async function putFormerName(trx: Trx, name: string, user_id: string | null, now: number): Promise<void> {
  const { folded, written } = skeletonsOf(name);
  const row = {
    skeleton_hash: hashOf(folded),
    written_hash: hashOf(written),
    user_id,
    end_time: now + RESERVATION_MS,
  };
  await trx
    .insertInto('former_names')
    .values({ name_hash: hashOf(foldName(name)), ...row })
    .onConflict((conflict) => conflict.column('name_hash').doUpdateSet(row))
    .execute();
}
