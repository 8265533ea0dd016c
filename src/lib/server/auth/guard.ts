import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../../contract/errors.ts';
import { foldName } from '../../contract/names.ts';
import { addressKey } from '../address.ts';
import type { SharedCounts } from '../db/database.ts';

/** Limits on guessing passwords and on making accounts, SECURITY.md 7. */
export interface Guard {
  /**
   * Runs `check`, which resolves to null for a wrong guess, unless there were too many wrong ones: then refuses with
   * TOO_MANY_REQUESTS. An attempt counts before it is checked, so that a thousand at once do not slip through; it is taken back
   * when it succeeds or when `check` throws.
   */
  attempt<T>(from: { address: string; username: string }, check: () => Promise<T | null>): Promise<T | null>;
  /** Counts an attempt to sign up; refuses with TOO_MANY_REQUESTS. */
  signup(address: string): Promise<void>;
  /** Forgets what no longer counts. */
  purgeExpired(): Promise<void>;
}

export interface RequestLimiter {
  /** Counts a request; refuses with TOO_MANY_REQUESTS. */
  consume(address: string, kind: keyof typeof REQUESTS): Promise<void>;
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** Wrong guesses, or sign-ups, in a window of `duration` seconds. */
const GUESSES = {
  /** One person who has forgotten which password it was. */
  pair: { points: 10, duration: 15 * MINUTE_S },
  /** An office behind one address. */
  address: { points: 100, duration: 15 * MINUTE_S },
  /** Many addresses against one account. Does not shut out addresses the account has signed in from. */
  account: { points: 100, duration: 6 * HOUR_S },
};
const SIGNUPS = { points: 20, duration: HOUR_S };
/** A page with its islands makes a few calls; nobody writes twice a second for a minute. */
const REQUESTS = {
  read: { points: 1200, duration: MINUTE_S },
  write: { points: 120, duration: MINUTE_S },
  /** Pages that have to be rendered for an address; those the cache keeps do not count. An office of thirty that reads what is not kept. */
  page: { points: 100, duration: 10 },
};
const KNOWN = { points: 1, duration: 30 * 24 * HOUR_S };
const KNOWN_HERE = { max: 20_000, ttl: KNOWN.duration * 1000 };
const LONGEST_NAME = 64;

/**
 * Counts in `counts`, where several processes do; in this process's memory otherwise, and while storage cannot be reached.
 * @param options `enabled: false` lets everything pass (RATE_LIMIT=off)
 */
export function createGuard(options: { enabled: boolean; counts?: SharedCounts | undefined }): Guard {
  const { enabled, counts } = options;
  if (!enabled)
    return { attempt: (_from, check) => check(), signup: async () => {}, purgeExpired: async () => {} };
  const pairs = limiterOf('pair', GUESSES.pair, counts);
  const addresses = limiterOf('address', GUESSES.address, counts);
  const accounts = limiterOf('account', GUESSES.account, counts);
  const signups = limiterOf('signup', SIGNUPS, counts);
  const known = knownPairs(counts);

  /** Counts an attempt on all three; returns how to take it back. What is refused here was no guess and counts nowhere. */
  const count = async (address: string, account: string, pair: string): Promise<() => Promise<void>> => {
    await consume(addresses, address);
    const undo = [() => addresses.reward(address)];
    const takeBack = async () => void (await Promise.all(undo.map((step) => step())));
    try {
      await consume(pairs, pair);
      undo.push(() => pairs.reward(pair));
      if (await known.has(pair)) return takeBack;
      await consume(accounts, account);
      undo.push(() => accounts.reward(account));
    } catch (error) {
      await takeBack();
      throw error;
    }
    return takeBack;
  };

  return {
    async attempt(from, check) {
      const name = foldName(from.username.trim()).slice(0, LONGEST_NAME);
      const [address, account] = [hashed(addressKey(from.address)), hashed(name)];
      const pair = hashed(address + account);
      const takeBack = await count(address, account, pair);
      let found;
      try {
        found = await check();
      } catch (error) {
        await takeBack();
        throw error;
      }
      if (found === null) return null;
      await takeBack();
      await pairs.delete(pair);
      await known.add(pair);
      return found;
    },
    signup: (address) => consume(signups, hashed(addressKey(address))),
    async purgeExpired() {
      await counts?.forgetExpired(Date.now());
    },
  };
}

type Limiter = RateLimiterMemory | RateLimiterPostgres;

function limiterOf(
  name: string,
  window: { points: number; duration: number },
  counts?: SharedCounts,
): Limiter {
  const here = new RateLimiterMemory(window);
  return counts ? sharedLimiter(name, window, counts, here) : here;
}

function sharedLimiter(
  keyPrefix: string,
  window: { points: number; duration: number },
  counts: SharedCounts,
  insuranceLimiter?: RateLimiterMemory,
): RateLimiterPostgres {
  const store = { storeClient: counts, storeType: 'pool', tableName: counts.table, tableCreated: true };
  return new RateLimiterPostgres({
    ...window,
    ...store,
    keyPrefix,
    clearExpiredByTimeout: false,
    ...(insuranceLimiter ? { insuranceLimiter } : {}),
  });
}

/** Pairs of address and account that have signed in: what this process has seen itself, and what others have. */
function knownPairs(counts?: SharedCounts) {
  const here = new LRUCache<string, true>(KNOWN_HERE);
  const shared = counts && sharedLimiter('known', KNOWN, counts);
  return {
    has: async (pair: string): Promise<boolean> =>
      here.has(pair) || Boolean(await shared?.get(pair).catch(() => null)),
    async add(pair: string): Promise<void> {
      if (!here.has(pair)) await shared?.set(pair, 1, KNOWN.duration).catch(() => {});
      here.set(pair, true);
    },
  };
}

/** Neither addresses nor names are stored to be counted; and whatever was typed, a key is short and plain. */
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Limits requests per address: 1200 calls that read and 120 that write in a minute, 100 pages that are rendered in ten seconds.
 * `enabled: false` lets everything pass. They protect this process, and are counted by it alone.
 */
export function createRequestLimiter(options: { enabled: boolean }): RequestLimiter {
  if (!options.enabled) return { consume: async () => {} };
  const limiters = {
    read: new RateLimiterMemory(REQUESTS.read),
    write: new RateLimiterMemory(REQUESTS.write),
    page: new RateLimiterMemory(REQUESTS.page),
  };
  return { consume: (address, kind) => consume(limiters[kind], addressKey(address)) };
}

async function consume(limiter: Limiter, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    refuse('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
  }
}
