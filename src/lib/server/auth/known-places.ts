import { createHmac } from 'node:crypto';
import { foldName } from '../../contract/names.ts';
import { addressKey } from '../address.ts';
import type { Database, Trx } from '../db/database.ts';
import { deriveKey } from './tokens.ts';

/** Where somebody signs in or up. */
export interface Place {
  /** The client's address. */
  address: string;
  /** What its device calls itself (api/device-cookie.ts): random, and no proof of anything; absent without a cookie. */
  device?: string | undefined;
}

/** Places that accounts have signed in from: limits on guessing spare them (guard.ts). */
export interface KnownPlaces {
  /**
   * The key of a place that the account of that name knows, of the device rather than of the address; null when it knows neither, or
   * there is no such account.
   */
  find(username: string, place: Place): Promise<string | null>;
  /** Notes inside `trx` that the user has signed in from there. */
  note(trx: Trx, userId: string, place: Place): Promise<void>;
  /** Forgets the places that nobody has signed in from for `FORGOTTEN_MS`. */
  purge(): Promise<void>;
}

const MOST_EACH = 50;
const FORGOTTEN_MS = 180 * 24 * 3_600_000;

/**
 * Known places, in storage.
 * @param options `secret` keys the hashes under which they are stored: whoever reads storage learns no address; `now` is milliseconds
 *   since the epoch
 */
export function createKnownPlaces(options: {
  db: Database;
  secret: Uint8Array | string;
  now: () => number;
}): KnownPlaces {
  const { db, secret, now } = options;
  const key = deriveKey(secret, 'known places');
  const hashed = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const keysOf = ({ address, device }: Place): string[] => [
    ...(device === undefined ? [] : [hashed(`device ${device}`)]),
    hashed(`address ${addressKey(address)}`),
  ];
  return {
    async find(username, place) {
      const keys = keysOf(place);
      const rows = await db.read
        .selectFrom('known_places')
        .innerJoin('users', 'users.id', 'known_places.user_id')
        .select('place')
        .where('users.username_key', '=', foldName(username.trim()))
        .where('place', 'in', keys)
        .where('last_seen', '>', now() - FORGOTTEN_MS)
        .execute();
      return keys.find((candidate) => rows.some((row) => row.place === candidate)) ?? null;
    },
    async note(trx, userId, place) {
      const instant = now();
      await trx
        .insertInto('known_places')
        .values(keysOf(place).map((key) => ({ user_id: userId, place: key, last_seen: instant, visits: 1 })))
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'place'])
            .doUpdateSet((eb) => ({ last_seen: instant, visits: eb('known_places.visits', '+', 1) })),
        )
        .execute();
      await dropSome(trx, userId, instant);
    },
    purge: () =>
      db.write(async (trx) => {
        await trx
          .deleteFrom('known_places')
          .where('last_seen', '<=', now() - FORGOTTEN_MS)
          .execute();
      }),
  };
}

/**
 * Keeps `MOST_EACH` places of a user. Those go first that never came back: a client without cookies is a new device each time, and
 * must not push out its owner's browsers.
 */
async function dropSome(trx: Trx, userId: string, instant: number): Promise<void> {
  const rows = await trx
    .selectFrom('known_places')
    .select(['place', 'last_seen', 'visits'])
    .where('user_id', '=', userId)
    .execute();
  if (rows.length <= MOST_EACH) return;
  const worth = (row: (typeof rows)[number]) => (row.visits > 1 || row.last_seen === instant ? 1 : 0);
  rows.sort((one, other) => worth(other) - worth(one) || other.last_seen - one.last_seen);
  const dropped = rows.slice(MOST_EACH).map(({ place }) => place);
  await trx.deleteFrom('known_places').where('user_id', '=', userId).where('place', 'in', dropped).execute();
}
