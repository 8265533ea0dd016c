import { hash, randomBytes } from 'node:crypto';
import { networksOf } from '../http/address.ts';

/** Maximum counted reads of an article per address and day: clients can forge their User-Agent. */
const MAX_READS_PER_ADDRESS = 10;
/** Bits for clients, and counters for addresses: 1 MiB each, whatever the traffic. */
const BITS = 2 ** 23;
const COUNTERS = 2 ** 20;
/** After 500,000 reads in a day 0.2 % of new readers count as repeated, after a million 2 %. */
const PROBES = 4;

/**
 * Detects a client's first read of an article on a day. Memory holds salted bits and counters, no list of
 * clients; all are replaced each day. A collision counts as a repeated read, so the count may be too low,
 * never too high.
 */
export function createSeenReaders() {
  let day = NaN;
  let salt = '';
  let clients = new Uint8Array(0);
  let addresses = new Uint8Array(0);

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

  /** Counts a read from an address; false if the address has reached `max`. */
  function addRead(key: string, max: number): boolean {
    const places = probesOf(key).map((probe) => probe % COUNTERS);
    if (Math.min(...places.map((place) => addresses[place] ?? 0)) >= max) return false;
    for (const place of places) addresses[place] = Math.min(255, (addresses[place] ?? 0) + 1);
    return true;
  }

  return {
    /** Discards all readers, unless the current day already began at `start`. */
    turnTo(start: number): void {
      if (start === day) return;
      day = start;
      salt = randomBytes(32).toString('latin1');
      clients = new Uint8Array(BITS / 8);
      addresses = new Uint8Array(COUNTERS);
    },
    /**
     * Records a read; false if the client has read the article today, or its address has reached its limit.
     */
    isFirst(article: string, address: string, userAgent: string): boolean {
      const networks = networksOf(address);
      if (!addClient(`${article} ${networks[0].key} ${userAgent}`)) return false;
      return networks.every(({ key, share }) => addRead(`${article} ${key}`, MAX_READS_PER_ADDRESS * share));
    },
  };
}
