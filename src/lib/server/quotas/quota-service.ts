import { refuse } from '../../contract/errors.ts';
import type { Database, Trx } from '../db/database.ts';
import { QUOTAS, type QuotaKind, type QuotaLimits, type SpanQuota } from '../quota-rules.ts';
import { daysOf, type Day } from './days.ts';
import * as queries from './quota-queries.ts';

/** On whose account something is written; `isUnlimited` for what the operator writes in somebody's name. */
export interface Spender {
  id: string;
  isUnlimited?: boolean;
}

/**
 * What an account may still do. Counts belong to the transaction of what they count: what is refused or
 * rolled back is not counted.
 */
export interface Quotas {
  /**
   * Counts `amount` (1 unless given) of a kind. Refuses with QUOTA_REACHED once that is more than the quota.
   */
  use(trx: Trx, spender: Spender, kind: SpanQuota, amount?: number): Promise<void>;
  /**
   * Adds `bytes`, which may be negative, to what the account has stored. Refuses with ACCOUNT_FULL to let
   * more grow beyond the quota.
   */
  store(trx: Trx, spender: Spender, bytes: number): Promise<void>;
  /**
   * Refuses as `use` and `store` would where nothing is left of one of `kinds`, and counts nothing: before
   * work that costs much.
   */
  requireSome(spender: Spender, kinds: readonly QuotaKind[]): Promise<void>;
  /** Removes counts of former days; returns how many. */
  purgeExpired(): Promise<number>;
}

const MINUTE_MS = 60_000;
/** How long counts are kept for the operator to look at. */
const KEPT_MS = 3 * 24 * 60 * MINUTE_MS;

/**
 * @param options `limits` null lets everything pass and counts only what is stored (RATE_LIMIT=off);
 * `timeZone` is the one whose days count; `now` is milliseconds since the epoch
 */
export function createQuotas(options: {
  db: Database;
  limits: QuotaLimits | null;
  timeZone: string;
  now: () => number;
}): Quotas {
  const { db, limits, timeZone, now } = options;
  const dayAt = daysOf(timeZone);
  const limitOf = (kind: QuotaKind, { isUnlimited }: Spender) =>
    limits === null || isUnlimited ? Infinity : limits[kind];
  const spanOf = (kind: SpanQuota): Day => (QUOTAS[kind].span === 'day' ? dayAt(now()) : minuteAt(now()));

  function refuseMore(kind: QuotaKind, limit: number): never {
    const { text, unit } = QUOTAS[kind];
    if (kind === 'storage') return refuse('ACCOUNT_FULL', { text: text(limit / unit) });
    const retryAfter = Math.max(1, Math.ceil((spanOf(kind).end - now()) / 1000));
    return refuse('QUOTA_REACHED', { text: text(limit / unit), retryAfter });
  }

  return {
    async use(trx, spender, kind, amount = 1) {
      const limit = limitOf(kind, spender);
      if (limit === Infinity || amount === 0) return;
      const count = { span_start: spanOf(kind).start, user_id: spender.id, kind };
      if ((await queries.addToCount(trx, count, amount)) > limit) refuseMore(kind, limit);
    },

    async store(trx, spender, bytes) {
      if (bytes === 0) return;
      const stored = await queries.addToStored(trx, spender.id, bytes);
      const limit = limitOf('storage', spender);
      // What makes an account smaller is welcome, however full it is.
      if (bytes > 0 && stored > limit) refuseMore('storage', limit);
    },

    async requireSome(spender, kinds) {
      for (const kind of kinds) {
        const limit = limitOf(kind, spender);
        if (limit === Infinity) continue;
        const used = await (kind === 'storage'
          ? queries.findStored(db.read, spender.id)
          : queries.findCount(db.read, { span_start: spanOf(kind).start, user_id: spender.id, kind }));
        if (used >= limit) refuseMore(kind, limit);
      }
    },

    purgeExpired: () => db.write((trx) => queries.deleteCountsBefore(trx, now() - KEPT_MS)),
  };
}

function minuteAt(instant: number): Day {
  const start = instant - (instant % MINUTE_MS);
  return { start, end: start + MINUTE_MS };
}
