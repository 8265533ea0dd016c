import { DAY_MS, HOUR_MS } from '../../contract/rules/units.ts';

export interface Day {
  start: number;
  end: number;
}

const FURTHEST_ZONE_MS = 15 * HOUR_MS;

export const daysOf = (timeZone: string) => calendarOf(timeZone).dayOf;

export function calendarOf(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  const dateOf = (instant: number): number => {
    const parts = format.formatToParts(instant);
    const part = (type: 'year' | 'month' | 'day') => Number(parts.find((each) => each.type === type)?.value);
    return Date.UTC(part('year'), part('month') - 1, part('day'));
  };
  /**
   * Returns the first millisecond of `date`, or of the next date that exists: some days begin at one o'clock,
   * some were skipped.
   */
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
    /** Returns the day of an instant; 23 or 25 hours long when clocks change. */
    dayOf(instant: number): Day {
      if (instant < known.start || instant >= known.end) {
        const date = dateOf(instant);
        known = { start: startOf(date), end: startOf(date + DAY_MS) };
      }
      return known;
    },
    monthOf(instant: number) {
      const date = new Date(dateOf(instant));
      return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
    },
    /** Returns the first millisecond of a month; months beyond December are in the next year. */
    startOfMonth: (year: number, month: number): number => startOf(Date.UTC(year, month - 1)),
  };
}
