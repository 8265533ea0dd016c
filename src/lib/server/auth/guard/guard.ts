import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../../../contract/rules/errors.ts';
import { foldName } from '../../../contract/rules/names.ts';
import { networksOf, WIDE_SHARE } from '../../http/address.ts';
import type { SharedCounts } from '../../db/database.ts';
import { createCounts } from './counts.ts';
import { createGuessLimits, type Act } from './guess-limits.ts';
import { MINUTE_S } from '../../../contract/rules/units.ts';

interface Guesser {
  address: string;
  username: string;
  what?: 'password' | 'code';
  knownPlace: string | null;
}

/**
 * Limits on guessing passwords, creating accounts and sending mail, SECURITY.md 7 and 18. All refuse with
 * TOO_MANY_REQUESTS.
 */
export interface Guard {
  /**
   * Runs `check`, which returns null for a wrong guess. An attempt counts before it is checked, so a thousand
   * in parallel cannot slip through; success or an error removes it again.
   */
  attempt<T>(from: Guesser, check: () => Promise<T | null>): Promise<T | null>;
  count(act: Act, address: string): Promise<void>;
  purgeExpired(): Promise<void>;
}

export interface RequestLimiter {
  /** Counts a request; refuses with TOO_MANY_REQUESTS. */
  consume(address: string, kind: keyof typeof REQUESTS): Promise<void>;
}

/** A page with its islands makes a few calls; no user writes twice a second for a minute. */
const REQUESTS = {
  read: { points: 1200, duration: MINUTE_S },
  write: { points: 120, duration: MINUTE_S },
  /** Pages rendered for an address, not cache hits: enough for an office of thirty. */
  page: { points: 100, duration: 10 },
};
const MAX_NAME_CHARACTERS = 64;

/**
 * Limits guesses. A place that the account knows has its own count, which attackers cannot exhaust. Other
 * places share the count of their address, and wait longer between guesses at an account under attack.
 * @param options `enabled: false` allows everything (RATE_LIMIT=off); `counts` is shared by several processes
 */
export function createGuard(options: {
  enabled: boolean;
  counts?: SharedCounts | undefined;
  now?: () => number;
}): Guard {
  const { enabled, now = Date.now } = options;
  if (!enabled)
    return {
      attempt: (_from, check) => check(),
      count: async () => {},
      purgeExpired: async () => {},
    };
  const counts = createCounts(now, options.counts);
  const limits = createGuessLimits(counts, now);
  return {
    async attempt({ address, username, what = 'password', knownPlace }, check) {
      const account = [
        foldName(username.trim()).slice(0, MAX_NAME_CHARACTERS),
        ...(what === 'password' ? [] : [what]),
      ];
      const counted = await (knownPlace === null
        ? limits.countUnknown(address, account)
        : limits.countKnown(knownPlace, account));
      let found;
      try {
        found = await check();
      } catch (error) {
        await counted.undo();
        throw error;
      }
      if (found !== null) await counted.forgive();
      return found;
    },
    count: limits.count,
    purgeExpired: counts.forgetExpired,
  };
}

/**
 * Limits requests per address within this process: 1200 reading and 120 writing calls a minute, 100 rendered
 * pages in ten seconds. `enabled: false` allows everything.
 */
export function createRequestLimiter(options: { enabled: boolean }): RequestLimiter {
  if (!options.enabled) return { consume: async () => {} };
  const limitersOf = (share: number) => {
    const limiter = ({ points, duration }: { points: number; duration: number }) =>
      new RateLimiterMemory({ points: points * share, duration });
    return {
      read: limiter(REQUESTS.read),
      write: limiter(REQUESTS.write),
      page: limiter(REQUESTS.page),
    };
  };
  const [narrow, wide] = [limitersOf(1), limitersOf(WIDE_SHARE)];
  return {
    async consume(address, kind) {
      for (const { key, share } of networksOf(address))
        await consume((share === 1 ? narrow : wide)[kind], key);
    },
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    refuse('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
  }
}
