import { may, type Role } from '../../contract/rules/permissions.ts';
import type { Overview } from '../../contract/calls/staff-calls.ts';
import { daysOf, type Day } from '../shared/days.ts';
import { toInstant } from '../shared/ids.ts';
import * as queries from './overview-queries.ts';
import { countOpen } from './report-queries.ts';
import { DAY_MS, HOUR_MS } from '../../contract/rules/units.ts';
import type { Uses } from '../services.ts';

const OVERVIEW_DAYS = 7;
/** Days of comments that one transaction counts, and the age at which a day is over on every clock. */
const COUNTED_DAYS = 30;
const DAY_AGE_MS = DAY_MS;

export type OverviewService = ReturnType<typeof createOverviewService>;

export function createOverviewService(parts: Uses<'takedowns' | 'backups' | 'room'>) {
  const { db, takedowns, backups, room, timeZone, now } = parts;
  const startedAt = now();
  const dayOf = daysOf(timeZone);
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });

  function lastDays(): Day[] {
    const days = [dayOf(now())];
    for (let [first] = days; first && days.length < OVERVIEW_DAYS; [first] = days)
      days.unshift(dayOf(first.start - HOUR_MS));
    return days;
  }

  async function backup(role: Role | undefined): Promise<Overview['backup']> {
    const { time, bytes, error } = await backups.last();
    const { everyMs, place } = (await backups.schedule()) ?? { everyMs: null, place: '' };
    // Same rule as for the warning in the log (backup/backup-service.ts).
    const isLate = everyMs !== null && now() - (time ?? startedAt) > 2 * everyMs;
    const mayKnow = may(role, 'options.read');
    return {
      every: everyMs === null ? null : everyMs / 1_000,
      time: time === null ? null : toInstant(time),
      bytes,
      error: mayKnow ? error : '',
      place: mayKnow ? place : '',
      is_late: isLate || error !== '',
    };
  }

  return {
    /** Counts the comments of days that are over, in short transactions. */
    async countPastDays(isStopping: () => boolean): Promise<void> {
      const end = Math.floor((now() - DAY_AGE_MS) / DAY_MS);
      while (!isStopping() && (await db.write((trx) => queries.countDays(trx, end, COUNTED_DAYS))));
    },

    async read(role: Role | undefined): Promise<Overview> {
      const days = lastDays();
      const [recent, total, bytes, held, reports, byDay, uploads, database, lastBackup] = await Promise.all([
        queries.countSince(db.read, now() - OVERVIEW_DAYS * DAY_MS),
        queries.countAll(db.read),
        queries.sumStored(db.read),
        takedowns.countHeld(),
        countOpen(db.read),
        queries.countByDay(db.read, days),
        room.measure(),
        db.size(),
        backup(role),
      ]);
      return {
        recent,
        total,
        waiting: { held, reports },
        stored_bytes: bytes,
        days: days.map(({ start }, index) => ({
          day: date.format(start),
          articles: byDay.articles[index] ?? 0,
          comments: byDay.comments[index] ?? 0,
          users: byDay.users[index] ?? 0,
        })),
        storage: {
          database_bytes: database,
          picture_bytes: uploads.bytes,
          picture_limit: uploads.limit,
          is_near_limit: uploads.isNearLimit,
        },
        backup: lastBackup,
      };
    },
  };
}
