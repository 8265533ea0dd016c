import type { Overview } from '../../contract/staff-calls.ts';
import type { Database } from '../db/database.ts';
import * as queries from './overview-queries.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Before every row there is. */
const EVER = Number.MIN_SAFE_INTEGER;

export type OverviewService = ReturnType<typeof createOverviewService>;

/** What the console counts on its first page. */
export function createOverviewService({ db, now = Date.now }: { db: Database; now?: () => number }) {
  return {
    async read(): Promise<Overview> {
      const [recent, total, bytes] = await Promise.all([
        queries.countSince(db.read, now() - WEEK_MS),
        queries.countSince(db.read, EVER),
        queries.sumStored(db.read),
      ]);
      return { recent, total, stored_bytes: bytes };
    },
  };
}
