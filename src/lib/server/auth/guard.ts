import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../../contract/errors.ts';
import { foldName } from '../../contract/names.ts';
import { networksOf, WIDE_SHARE } from '../address.ts';
import type { SharedCounts } from '../db/database.ts';
import { createCounts } from './counts.ts';
import { createGuessLimits } from './guess-limits.ts';

/** Who guesses at a password. */
export interface Guesser {
  address: string;
  username: string;
  /** What is guessed at; each has counts of its own. */
  what?: 'password' | 'code';
  /** What `KnownPlaces.find` says: the place, where the account knows it. */
  knownPlace: string | null;
}

/** Limits on guessing passwords and on making accounts, SECURITY.md 7 and 18. */
export interface Guard {
  /**
   * Runs `check`, null for a wrong guess; refuses with TOO_MANY_REQUESTS after too many. An attempt counts
   * before it is checked, so that a thousand at once do not slip through; success or a throw takes it back.
   */
  attempt<T>(from: Guesser, check: () => Promise<T | null>): Promise<T | null>;
  /** Counts an attempt to sign up; refuses with TOO_MANY_REQUESTS. */
  signup(address: string): Promise<void>;
  /** Counts mail that somebody has sent to others; refuses with TOO_MANY_REQUESTS. */
  mail(address: string): Promise<void>;
  purgeExpired(): Promise<void>;
}

export interface RequestLimiter {
  /** Counts a request; refuses with TOO_MANY_REQUESTS. */
  consume(address: string, kind: keyof typeof REQUESTS): Promise<void>;
}

const MINUTE_S = 60;
/** A page with its islands makes a few calls; nobody writes twice a second for a minute. */
const REQUESTS = {
  read: { points: 1200, duration: MINUTE_S },
  write: { points: 120, duration: MINUTE_S },
  /** Pages rendered for an address, not those kept: what an office of thirty reads. */
  page: { points: 100, duration: 10 },
};
const LONGEST_NAME = 64;

/**
 * Limits on guessing. A place the account knows has a count of its own, which nobody else uses up. Others
 * share their address's, and wait longer between guesses at an account under attack.
 * @param options `enabled: false` lets all pass (RATE_LIMIT=off); `counts` where several processes count
 * together
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
      signup: async () => {},
      mail: async () => {},
      purgeExpired: async () => {},
    };
  const counts = createCounts(now, options.counts);
  const limits = createGuessLimits(counts, now);
  return {
    async attempt({ address, username, what = 'password', knownPlace }, check) {
      const account = [
        foldName(username.trim()).slice(0, LONGEST_NAME),
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
    signup: limits.countSignup,
    mail: limits.countMail,
    purgeExpired: counts.forgetExpired,
  };
}

/**
 * Limits requests per address, by this process alone: 1200 reading and 120 writing calls a minute, 100
 * rendered pages in ten seconds. `enabled: false` lets everything pass.
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
