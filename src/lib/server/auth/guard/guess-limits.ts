import { createHash } from 'node:crypto';
import { refuse } from '../../../contract/rules/errors.ts';
import { networksOf } from '../../http/address.ts';
import type { Counts, Count } from './counts.ts';
import { HOUR_MS, MINUTE_MS, DAY_MS } from '../../../contract/rules/units.ts';

interface Window {
  points: number;
  duration: number;
}

const GUESSES = {
  /** From one place at one account: a user who forgot which password it was. */
  pair: { points: 10, duration: 15 * MINUTE_MS },
  /** From one address at all accounts: an office. */
  address: { points: 100, duration: 15 * MINUTE_MS },
  /** At one account from all unknown places; expires `duration` after the last guess. */
  account: { points: 20, duration: 6 * HOUR_MS },
} satisfies Record<string, Window>;
/** Limits of what one address does. */
const ACTS = {
  /** Wrong access tokens: a program that keeps sending a revoked one. */
  token: { points: 100, duration: 15 * MINUTE_MS },
  signup: { points: 20, duration: HOUR_MS },
  /** Mails sent because a client named an address or an account. */
  mail: { points: 20, duration: HOUR_MS },
  /** Reports of visitors. */
  report: { points: 10, duration: HOUR_MS },
  /** Applications of friends. */
  friend: { points: 5, duration: HOUR_MS },
} satisfies Record<string, Window>;
export type Act = keyof typeof ACTS;
const MAX_ATTEMPTS = 5;

type Undo = () => Promise<void>;

interface Counted {
  undo: Undo;
  /** After a correct guess: removes it and the wrong guesses before it. */
  forgive: Undo;
}

/**
 * Creates the limits for guesses, sign-ups and mails, which refuse with TOO_MANY_REQUESTS. `now` is in
 * milliseconds since the epoch.
 */
export function createGuessLimits(counts: Counts, now: () => number) {
  const take = async (key: string, { points, duration }: Window): Promise<Undo> => {
    const count = await counts.add(key, now() + duration);
    const takeBack = () => counts.takeBack(key);
    if (count.points <= points) return takeBack;
    await takeBack();
    return refuse('TOO_MANY_REQUESTS', { retryAfter: seconds(count.until - now()) });
  };

  const takeNetworks = async (kind: string, address: string, window: Window): Promise<Undo> => {
    const undo: Undo[] = [];
    for (const { key, share } of networksOf(address)) {
      const points = window.points * share;
      undo.push(await take(hashed(kind, key), { ...window, points }).catch(undoing(undo)));
    }
    return allOf(undo);
  };
  const takeAddress = (address: string) => takeNetworks('address', address, GUESSES.address);

  /**
   * Takes the turn of a place that must wait between guesses; refuses before it is due. A new place counts
   * against its address, which bounds how many places are stored.
   */
  const takeTurn = async (key: string, address: string): Promise<Undo> => {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const former = await counts.read(key);
      const turn = nextTurn(former, now());
      if (!turn.isFree) {
        if (turn.next) await takeAddress(address);
        if (turn.next) await counts.replace(key, former, turn.next);
        refuse('TOO_MANY_REQUESTS', { text: waitingText(turn.wait), retryAfter: seconds(turn.wait) });
      }
      if (former && (await counts.replace(key, former, turn.next)))
        return async () => void (await counts.replace(key, turn.next, former));
    }
    return refuse('TOO_MANY_REQUESTS', { retryAfter: 1 });
  };

  const countUnknown = async (address: string, account: readonly string[]): Promise<Counted> => {
    const [narrow, wide = narrow] = networksOf(address);
    const keys = {
      account: hashed('account', ...account),
      pair: hashed('pair', narrow.key, ...account),
      pause: hashed('pause', wide.key, ...account),
    };
    const undo: Undo[] = [];
    const isAttacked = ((await counts.read(keys.account))?.points ?? 0) >= GUESSES.account.points;
    if (isAttacked) undo.push(await takeTurn(keys.pause, address));
    undo.push(await takeAddress(address).catch(undoing(undo)));
    undo.push(await take(keys.pair, GUESSES.pair).catch(undoing(undo)));
    const { points } = await counts.add(keys.account, now() + GUESSES.account.duration, true);
    undo.push(() => counts.takeBack(keys.account));
    if (!isAttacked && points > GUESSES.account.points) {
      // The account came under attack while this guess was counted.
      await allOf(undo)();
      return countUnknown(address, account);
    }
    return {
      undo: allOf(undo),
      async forgive() {
        await allOf(undo)();
        await Promise.all([counts.forget(keys.pair), counts.forget(keys.pause)]);
      },
    };
  };

  return {
    async countKnown(place: string, account: readonly string[]): Promise<Counted> {
      const key = hashed('known', place, ...account);
      return { undo: await take(key, GUESSES.pair), forgive: () => counts.forget(key) };
    },
    countUnknown,
    async count(act: Act, address: string): Promise<void> {
      await takeNetworks(act, address, ACTS[act]);
    },
  };
}

const allOf =
  (undo: readonly Undo[]): Undo =>
  async () =>
    void (await Promise.all(undo.map((step) => step())));

const undoing = (undo: readonly Undo[]) => async (refusal: unknown) => {
  await allOf(undo)();
  throw refusal;
};

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function waitingText(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const time = minutes <= 120 ? `${minutes} 分钟` : `${Math.ceil(minutes / 60)} 小时`;
  return `该账号近来有多次密码错误，从新的设备登录请等待 ${time}后再试；登录过该账号的设备不受影响`;
}

/** Keys contain neither addresses nor names in plain text, and are short whatever the input. */
const hashed = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** First wait of a new place for an account under attack: it may be the owner's new device. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
const MAX_PAUSE_MS = DAY_MS;
/** How long a place's first request stays valid for its next one. */
const FIRST_REQUEST_VALID_MS = HOUR_MS;
/** How long the last guess still doubles the next pause. */
const RETENTION_MS = 48 * HOUR_MS;

/** Whether a place may guess now. `next` must be stored before the guess; null: nothing changes. */
type Turn = { isFree: true; next: Count } | { isFree: false; wait: number; next: Count | null };

/**
 * Returns whether a place that must wait between guesses may guess now. Its first request starts a pause of 5
 * minutes; each guess doubles the pause, up to a day. Requests before the time change nothing.
 */
function nextTurn(former: Count | null, now: number): Turn {
  if (!former)
    return {
      isFree: false,
      wait: FIRST_PAUSE_MS,
      next: { points: 0, free: now + FIRST_PAUSE_MS, until: now + FIRST_REQUEST_VALID_MS },
    };
  if (former.free > now) return { isFree: false, wait: former.free - now, next: null };
  const points = former.points + 1;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** points, MAX_PAUSE_MS);
  return { isFree: true, next: { points, free: now + pause, until: now + RETENTION_MS } };
}
