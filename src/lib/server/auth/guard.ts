import { isIPv4, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../../contract/errors.ts';
import { foldName } from '../../contract/names.ts';

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
}

export interface RequestLimiter {
  /** Counts a request; refuses with TOO_MANY_REQUESTS. */
  consume(address: string, kind: 'read' | 'write'): Promise<void>;
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
};
const KNOWN_ADDRESSES = { max: 20_000, ttl: 30 * 24 * HOUR_S * 1000 };
const LONGEST_NAME = 64;

/**
 * Keeps counts in this process's memory.
 * @param options `enabled: false` lets everything pass (RATE_LIMIT=off)
 */
export function createGuard(options: { enabled: boolean }): Guard {
  if (!options.enabled) return { attempt: (_from, check) => check(), signup: async () => {} };
  const pairs = new RateLimiterMemory(GUESSES.pair);
  const addresses = new RateLimiterMemory(GUESSES.address);
  const accounts = new RateLimiterMemory(GUESSES.account);
  const signups = new RateLimiterMemory(SIGNUPS);
  const known = new LRUCache<string, true>(KNOWN_ADDRESSES);

  /** Counts an attempt on all three; returns how to take it back. What is refused here was no guess and counts nowhere. */
  const count = async (address: string, account: string, pair: string): Promise<() => Promise<void>> => {
    await consume(addresses, address);
    const undo = [() => addresses.reward(address)];
    const takeBack = async () => void (await Promise.all(undo.map((step) => step())));
    try {
      await consume(pairs, pair);
      undo.push(() => pairs.reward(pair));
      if (known.has(pair)) return takeBack;
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
      const address = addressKey(from.address);
      const account = foldName(from.username.trim()).slice(0, LONGEST_NAME);
      const pair = `${address} ${account}`;
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
      known.set(pair, true);
      return found;
    },
    signup: (address) => consume(signups, addressKey(address)),
  };
}

/** Limits requests per address and minute: 1200 that read, 120 that write. `enabled: false` lets everything pass. */
export function createRequestLimiter(options: { enabled: boolean }): RequestLimiter {
  if (!options.enabled) return { consume: async () => {} };
  const limiters = {
    read: new RateLimiterMemory(REQUESTS.read),
    write: new RateLimiterMemory(REQUESTS.write),
  };
  return { consume: (address, kind) => consume(limiters[kind], addressKey(address)) };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    refuse('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
  }
}

/** What limits are counted by: an IPv4 address (mapped into IPv6 or not), the /64 of an IPv6 address, else the text itself. */
export function addressKey(address: string): string {
  const [plain = ''] = address.trim().toLowerCase().split('%');
  const mapped = plain.startsWith('::ffff:') ? plain.slice('::ffff:'.length) : '';
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  // Without `::` all groups are in the head; with it, what it stands for begins where the head ends.
  const zeros = tail === undefined ? 0 : 8 - groups.length - countGroups(tail);
  const network = [...groups, ...Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function countGroups(text: string): number {
  if (text === '') return 0;
  const groups = text.split(':');
  // A dotted IPv4 ending stands for two groups.
  return groups.length + (text.includes('.') ? 1 : 0);
}
