import { hash, randomBytes } from 'node:crypto';
import { networksOf } from '../address.ts';

/** A browser's name is its own claim: reads of one article that an address may have in a day. */
const MAX_READS_PER_ADDRESS = 10;
/** Bits for clients, and counters for addresses: 1 MiB each, whatever comes. */
const BITS = 2 ** 23;
const COUNTERS = 2 ** 20;
/** After 500,000 reads in a day 0.2 % of new readers count as repeated, after a million 2 %. */
const PROBES = 4;

/**
 * Detects a client's first read of an article on a day. Memory holds bits and counters under a salt, no list
 * of clients; all are replaced each day. Collisions are not counted, so the count may be too low, never too
 * high.
 */
export function createSeenReaders() {
  let day = NaN;
  let salt = '';
  let clients = new Uint8Array(0);
  let addresses = new Uint8Array(0);

  /** Four numbers of 32 bits that stand for `key` today. */
  const probesOf = (key: string): readonly number[] => {
    const digest = hash('sha256', salt + key, 'buffer');
    return Array.from({ length: PROBES }, (_, index) => digest.readUInt32LE(4 * index));
  };

  function addClient(key: string): boolean {
    let isNew = false;
    for (const probe of probesOf(key)) {
      const [at, bit] = [(probe % BITS) >> 3, 1 << (probe & 7)];
      if (((clients[at] ?? 0) & bit) === 0) isNew = true;
      clients[at] = (clients[at] ?? 0) | bit;
    }
    return isNew;
  }

  /** Counts a read of an address; false where it has had `max`. */
  function addRead(key: string, max: number): boolean {
    const places = probesOf(key).map((probe) => probe % COUNTERS);
    if (Math.min(...places.map((place) => addresses[place] ?? 0)) >= max) return false;
    for (const place of places) addresses[place] = Math.min(255, (addresses[place] ?? 0) + 1);
    return true;
  }

  return {
    /** Forgets the readers of any other day than the one that began at `start`. */
    turnTo(start: number): void {
      if (start === day) return;
      day = start;
      salt = randomBytes(32).toString('latin1');
      clients = new Uint8Array(BITS / 8);
      addresses = new Uint8Array(COUNTERS);
    },
    /** Notes a read of the day; false where the client has read the article before. */
    isFirst(article: string, address: string, userAgent: string): boolean {
      const networks = networksOf(address);
      if (!addClient(`${article} ${networks[0].key} ${userAgent}`)) return false;
      return networks.every(({ key, share }) => addRead(`${article} ${key}`, MAX_READS_PER_ADDRESS * share));
    },
  };
}
