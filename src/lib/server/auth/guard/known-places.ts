import { createHmac } from 'node:crypto';
import { foldName } from '../../../contract/rules/names.ts';
import { addressKey } from '../../http/address.ts';
import type { Database, Trx } from '../../db/database.ts';
import * as queries from './place-queries.ts';
import { deriveKey } from '../tokens.ts';
import { DAY_MS } from '../../../contract/rules/units.ts';

export interface Place {
  address: string;
  /** Random device identifier from the cookie (api/device-cookie.ts), not a proof; absent without cookies. */
  device?: string | undefined;
  client?: string | undefined;
}

export type KnownPlaces = ReturnType<typeof createKnownPlaces>;

const MAX_PLACES_PER_USER = 50;
const PLACE_RETENTION_MS = 180 * DAY_MS;

/**
 * Places that accounts have signed in from, which guess limits spare (guard.ts). Stored as hashes keyed by
 * `secret`, so a leaked database reveals no addresses.
 */
export function createKnownPlaces(options: { db: Database; secret: Uint8Array | string; now: () => number }) {
  const { db, secret, now } = options;
  const key = deriveKey(secret, 'known places');
  const hashed = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const keysOf = ({ address, device }: Place): string[] => [
    ...(device === undefined ? [] : [hashed(`device ${device}`)]),
    hashed(`address ${addressKey(address)}`),
  ];
  return {
    /** Returns the key of a place that the account knows, preferring device over address; null if unknown. */
    async find(username: string, place: Place): Promise<string | null> {
      const places = keysOf(place);
      const found = await queries.findPlaces(db, {
        usernameKey: foldName(username.trim()),
        places,
        since: now() - PLACE_RETENTION_MS,
      });
      return places.find((candidate) => found.includes(candidate)) ?? null;
    },
    /**
     * Records a sign-in. Returns the key of a place whose device and address are both new to an account that
     * has signed in before; otherwise null.
     */
    async note(trx: Trx, userId: string, place: Place): Promise<string | null> {
      const instant = now();
      const known = (await queries.listPlaces(trx, userId)).map((row) => row.place);
      const keys = keysOf(place);
      const isNew = known.length > 0 && !keys.some((key) => known.includes(key));
      await queries.visitPlaces(trx, userId, { places: keys, instant });
      await dropSome(trx, userId, instant);
      return isNew ? keys.join(' ') : null;
    },
    purge: () => db.write((trx) => queries.deletePlacesBefore(trx, now() - PLACE_RETENTION_MS)),
  };
}

/** Limits a user's places; deletes places seen once first, such as clients without cookies. */
async function dropSome(trx: Trx, userId: string, instant: number): Promise<void> {
  const rows = await queries.listPlaces(trx, userId);
  if (rows.length <= MAX_PLACES_PER_USER) return;
  const worth = (row: queries.PlaceRow) => (row.visits > 1 || row.last_seen === instant ? 1 : 0);
  rows.sort((one, other) => worth(other) - worth(one) || other.last_seen - one.last_seen);
  await queries.deletePlaces(
    trx,
    userId,
    rows.slice(MAX_PLACES_PER_USER).map(({ place }) => place),
  );
}
