import type { Database } from '../db/database.ts';
import * as queries from './overdue-queries.ts';
import type { Receiver } from './overdue-queries.ts';

export type { Receiver } from './overdue-queries.ts';

/** No job of a running server is ever that late. */
const OVERDUE_MS = 5 * 60_000;

const RECEIVERS: readonly Receiver[] = ['mail', 'webhook', 'baidu', 'indexnow'];

export type Overdue = ReturnType<typeof createOverdue>;

/** Work whose time has come and that no server has taken up: its jobs do not run, or a clock is wrong. */
export function createOverdue({ db, now }: { db: Pick<Database, 'read'>; now: () => number }) {
  const instant = () => now() - OVERDUE_MS;
  return {
    /** Number of scheduled articles that were not published. */
    countSchedules: (): Promise<number> => queries.countOverdueSchedules(db.read, instant()),
    /** Titles of up to `limit` of them, longest overdue first. */
    listTitles: (limit: number): Promise<string[]> => queries.listOverdueTitles(db.read, instant(), limit),
    /** Number of deliveries that were not tried, of each receiver. */
    async countDeliveries(): Promise<Map<Receiver, number>> {
      const found = await queries.countOverdueDeliveries(db.read, instant());
      const totals = new Map(found.map(({ receiver, total }) => [receiver, total]));
      return new Map(RECEIVERS.map((receiver) => [receiver, totals.get(receiver) ?? 0]));
    },
  };
}
