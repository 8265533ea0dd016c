import { expect, test } from 'vitest';
import { daysOf } from '../../../src/lib/server/shared/days.ts';
import { HOUR_MS } from '../../../src/lib/contract/rules/units.ts';

test.each([
  ['Asia/Shanghai', '2026-11-22T15:59:59.999Z', '2026-11-21T16:00:00.000Z', 24],
  ['Asia/Shanghai', '2026-11-22T16:00:00.000Z', '2026-11-22T16:00:00.000Z', 24],
  ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31T00:00:00.000Z', 24],
  ['Asia/Kathmandu', '2026-11-22T12:00:00.000Z', '2026-11-21T18:15:00.000Z', 24],
  ['Pacific/Kiritimati', '2026-11-22T12:00:00.000Z', '2026-11-22T10:00:00.000Z', 24],
  ['Pacific/Pago_Pago', '2026-11-22T12:00:00.000Z', '2026-11-22T11:00:00.000Z', 24],
  // Clocks go forward, and back.
  ['America/New_York', '2026-03-08T12:00:00.000Z', '2026-03-08T05:00:00.000Z', 23],
  ['America/New_York', '2026-11-01T12:00:00.000Z', '2026-11-01T04:00:00.000Z', 25],
  // Clocks go forward at midnight, so the day starts at one o'clock.
  ['America/Santiago', '2026-09-06T12:00:00.000Z', '2026-09-06T04:00:00.000Z', 23],
  // Clocks go back at midnight, so the day before has the hour twice.
  ['America/Santiago', '2026-04-04T12:00:00.000Z', '2026-04-04T03:00:00.000Z', 25],
  // 30 December 2011 does not exist there: the 31st follows the 29th.
  ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-29T10:00:00.000Z', 24],
  ['Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z', 24],
])('in %s %s is on the day that begins at %s and has %i hours', (zone, instant, start, hours) => {
  const dayAt = daysOf(zone);
  const day = dayAt(Date.parse(instant));
  expect([new Date(day.start).toISOString(), (day.end - day.start) / HOUR_MS]).toEqual([start, hours]);
  // The next day starts where this one ends, and the previous one ends where this one starts.
  expect(dayAt(day.end).start).toBe(day.end);
  expect(dayAt(day.start - 1).end).toBe(day.start);
});
