import type { Overview } from '../../contract/staff-calls.ts';
import type { Database } from '../db/database.ts';
import type { TakedownService } from '../moderation/takedown-service.ts';
import * as queries from './overview-queries.ts';
import { countOpen } from './report-queries.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Before every row there is. */
const EVER = Number.MIN_SAFE_INTEGER;

interface Parts {
  db: Database;
  takedowns: Pick<TakedownService, 'countHeld'>;
  now?: () => number;
}

export type OverviewService = ReturnType<typeof createOverviewService>;

/** What the console counts on its first page. */
export function createOverviewService({ db, takedowns, now = Date.now }: Parts) {
  return {
    async read(): Promise<Overview> {
      const [recent, total, bytes, held, reports] = await Promise.all([
        queries.countSince(db.read, now() - WEEK_MS),
        queries.countSince(db.read, EVER),
        queries.sumStored(db.read),
        takedowns.countHeld(),
        countOpen(db.read),
      ]);
      return { recent, total, waiting: { held, reports }, stored_bytes: bytes };
    },
  };
}
