import { foldName } from '../../contract/rules/names.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { firstValue, isFound } from '../db/lists.ts';
import { hashOf } from '../shared/seal.ts';
import { skeletonsOf } from './skeletons.ts';
import { DAY_MS } from '../../contract/rules/units.ts';

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
  await putFormerName(trx, username, { user_id: null, name: '', end_time: now + RESERVATION_MS });
  const ownRows = trx.updateTable('former_names').where('user_id', '=', id);
  await ownRows
    .set({ end_time: now + RESERVATION_MS })
    .where('name', '!=', '')
    .execute();
  await ownRows.set({ user_id: null, name: '' }).execute();
}

/** Reserves the name of an account that staff renames inside `trx`; its owner may still sign in with it. */
export const reserveRenamed = (trx: Trx, { id, username }: Named, now: number): Promise<void> =>
  putFormerName(trx, username, { user_id: id, name: '', end_time: now + RESERVATION_MS });

/** Keeps the former name of a user inside `trx`, until the account is closed. */
export const keepName = (trx: Trx, { id, username }: Named): Promise<void> =>
  putFormerName(trx, username, { user_id: id, name: username, end_time: Number.MAX_SAFE_INTEGER });

/** Computes the skeletons of the names that a user keeps. */
export async function refreshKept(trx: Trx, id: string): Promise<void> {
  const kept = trx
    .selectFrom('former_names')
    .select('name')
    .where('user_id', '=', id)
    .where('name', '!=', '');
  for (const { name } of await kept.execute()) await keepName(trx, { id, username: name });
}

/** Removes the name from the former ones of the account that has it again. */
export async function releaseName(trx: Trx, { id, username }: Named): Promise<void> {
  await trx
    .deleteFrom('former_names')
    .where('name_hash', '=', hashOf(foldName(username)))
    .where('user_id', '=', id)
    .execute();
}

/**
 * Whether `username` is, or looks like, a name that an account had within the last 180 days, or that another
 * account than `exceptId` keeps.
 */
export async function isFormerName(db: Queryable, username: string, now: number, exceptId = '') {
  const { folded, written } = skeletonsOf(username);
  const hashes = [hashOf(folded), hashOf(written)];
  return isFound(
    db
      .selectFrom('former_names')
      .select('name_hash')
      .where((eb) =>
        eb.or([
          // A hashed name may have skeletons of an earlier version.
          eb('name_hash', '=', hashOf(foldName(username))),
          eb('skeleton_hash', 'in', hashes),
          eb('written_hash', 'in', hashes),
        ]),
      )
      .where('end_time', '>', now)
      .where((eb) => eb.or([eb('name', '=', ''), eb('user_id', '!=', exceptId)])),
  );
}

/** Returns the id of the account that was called `username` until staff renamed it, or null. */
export const findRenamed = (db: Queryable, username: string, now: number): Promise<string | null> =>
  firstValue(findByName(db, username).select('user_id').where('name', '=', '').where('end_time', '>', now));

/** Returns the id of the account that keeps `username` as a former name, or null. */
export const findKept = (db: Queryable, username: string): Promise<string | null> =>
  firstValue(findByName(db, username).select('user_id').where('name', '!=', ''));

export async function deleteEndedReservations(trx: Trx, now: number): Promise<void> {
  await trx.deleteFrom('former_names').where('end_time', '<=', now).execute();
}

const findByName = (db: Queryable, username: string) =>
  db.selectFrom('former_names').where('name_hash', '=', hashOf(foldName(username)));

async function putFormerName(
  trx: Trx,
  username: string,
  kept: { user_id: string | null; name: string; end_time: number },
): Promise<void> {
  const { folded, written } = skeletonsOf(username);
  const row = { skeleton_hash: hashOf(folded), written_hash: hashOf(written), ...kept };
  await trx
    .insertInto('former_names')
    .values({ name_hash: hashOf(foldName(username)), ...row })
    .onConflict((conflict) => conflict.column('name_hash').doUpdateSet(row))
    .execute();
}
