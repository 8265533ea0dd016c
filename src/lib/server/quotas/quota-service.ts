import { refuse } from '../../contract/rules/errors.ts';
import type { Trx } from '../db/database.ts';
import { QUOTAS, type QuotaKind, type QuotaLimits, type SpanQuota } from '../shared/quota-rules.ts';
import { daysOf, type Day } from '../shared/days.ts';
import * as queries from './quota-queries.ts';
import { DAY_MS, MINUTE_MS } from '../../contract/rules/units.ts';
import type { AppParts } from '../services.ts';

/** Account that is charged; `isUnlimited` for what the operator writes in a user's name. */
export interface Spender {
  id: string;
  isUnlimited?: boolean;
}

export type Quotas = ReturnType<typeof createQuotas>;

const RETENTION_MS = 3 * DAY_MS;

/**
 * Quotas of accounts, counted in the transaction of what they count: refused actions do not count.
 * @param options `limits` null limits nothing and counts only storage (RATE_LIMIT=off)
 */
export function createQuotas(
  options: Pick<AppParts, 'db' | 'timeZone' | 'now'> & {
    limits: QuotaLimits | null;
  },
) {
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
    /** Counts amounts by kind. Refuses with QUOTA_REACHED beyond a quota. */
    async use(trx: Trx, spender: Spender, amounts: Partial<Record<SpanQuota, number>>): Promise<void> {
      const counts = (Object.entries(amounts) as [SpanQuota, number][])
        .filter(([kind, used]) => limitOf(kind, spender) !== Infinity && used !== 0)
        .map(([kind, used]) => ({ span_start: spanOf(kind).start, user_id: spender.id, kind, used }));
      if (counts.length === 0) return;
      const totals = await queries.addToCounts(trx, counts);
      for (const { kind } of counts) {
        const total = totals.find((each) => each.kind === kind)?.used ?? 0;
        const limit = limitOf(kind, spender);
        if (total > limit) refuseMore(kind, limit);
      }
    },

    /** Counts `amount` that is already used up: only later uses are refused. */
    async charge(spender: Spender, kind: SpanQuota, amount: number): Promise<void> {
      if (limitOf(kind, spender) === Infinity || amount === 0) return;
      const count = { span_start: spanOf(kind).start, user_id: spender.id, kind, used: amount };
      await db.write((trx) => queries.addToCounts(trx, [count]));
    },

    /**
     * Adds `bytes`, which may be negative, to the stored bytes. Refuses with ACCOUNT_FULL beyond the quota.
     */
    async store(trx: Trx, spender: Spender, bytes: number): Promise<void> {
      if (bytes === 0) return;
      const stored = await queries.addToStored(trx, spender.id, bytes);
      const limit = limitOf('storage', spender);
      // Reductions are always accepted.
      if (bytes > 0 && stored > limit) refuseMore('storage', limit);
    },

    /** Bytes that earlier versions may take in addition: a quarter of the storage. */
    versionRoom: (spender: Spender): number => limitOf('storage', spender) / 4,

    /** Refuses as `use` and `store` if nothing is left of one of `kinds`; called before costly work. */
    async requireSome(spender: Spender, kinds: readonly QuotaKind[]): Promise<void> {
      for (const kind of kinds) {
        const limit = limitOf(kind, spender);
        if (limit === Infinity) continue;
        const used = await (kind === 'storage'
          ? queries.findStored(db.read, spender.id)
          : queries.findCount(db.read, { span_start: spanOf(kind).start, user_id: spender.id, kind }));
        if (used >= limit) refuseMore(kind, limit);
      }
    },

    purgeExpired: (): Promise<number> =>
      db.write((trx) => queries.deleteCountsBefore(trx, now() - RETENTION_MS)),
  };
}

function minuteAt(instant: number): Day {
  const start = instant - (instant % MINUTE_MS);
  return { start, end: start + MINUTE_MS };
}
