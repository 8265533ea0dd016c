/** A calendar day: from its first millisecond up to the next day's. */
export interface Day {
  start: number;
  end: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From UTC, at most, to either side. */
const FURTHEST_ZONE_MS = 15 * HOUR_MS;

/** The calendar of an IANA time zone. */
export interface Calendar {
  /** From an instant to its day, 23 or 25 hours where clocks change. */
  dayOf(instant: number): Day;
  /** From an instant to its month, January is 1. */
  monthOf(instant: number): { year: number; month: number };
  /** The first millisecond of a month; months beyond December are of the next year. */
  startOfMonth(year: number, month: number): number;
}

/** The calendar days of an IANA time zone: from an instant to its day. */
export const daysOf = (timeZone: string): Calendar['dayOf'] => calendarOf(timeZone).dayOf;

/** The calendar of an IANA time zone. */
export function calendarOf(timeZone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  /** The date in the zone, as the instant at which it begins in UTC. */
  const dateOf = (instant: number): number => {
    const parts = format.formatToParts(instant);
    const part = (type: 'year' | 'month' | 'day') => Number(parts.find((each) => each.type === type)?.value);
    return Date.UTC(part('year'), part('month') - 1, part('day'));
  };
  /** The first millisecond of `date` or later: some days begin at one o'clock, some there never were. */
  const startOf = (date: number): number => {
    let [before, after] = [date - FURTHEST_ZONE_MS, date + FURTHEST_ZONE_MS];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (dateOf(middle) < date) before = middle;
      else after = middle;
    }
    return after;
  };
  let known: Day = { start: 0, end: 0 };
  return {
    dayOf(instant) {
      if (instant < known.start || instant >= known.end) {
        const date = dateOf(instant);
        known = { start: startOf(date), end: startOf(date + DAY_MS) };
      }
      return known;
    },
    monthOf(instant) {
      const date = new Date(dateOf(instant));
      return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
    },
    startOfMonth: (year, month) => startOf(Date.UTC(year, month - 1)),
  };
}
