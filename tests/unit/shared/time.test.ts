import { describe, expect, test } from 'vitest';
import { formatDay, formatLocal, formatMinute, instantOf } from '../../../src/lib/shared/time.ts';

test('days begin at midnight in Shanghai, whatever the server’s time zone', () => {
  expect(formatDay('2025-11-21T15:59:59.000Z', 'Asia/Shanghai')).toBe('2025-11-21');
  expect(formatDay('2025-11-21T16:00:00.000Z', 'Asia/Shanghai')).toBe('2025-11-22');
  expect(formatMinute('2025-12-31T16:05:00.000Z', 'Asia/Shanghai')).toBe('2026-01-01 00:05');
});

test('another zone has other days', () => {
  expect(formatDay('2025-11-21T16:00:00.000Z', 'UTC')).toBe('2025-11-21');
});

describe('an entered time', () => {
  test.each([
    ['Asia/Shanghai', '2026-11-24T09:00', '2026-11-24T01:00:00.000Z'],
    ['UTC', '2026-11-24T09:00', '2026-11-24T09:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-24T09:00', '2026-11-24T03:15:00.000Z'],
    // Clocks go back at 3 o'clock; the earlier of the two times counts.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:30', '2026-10-25T02:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['Pacific/Apia', '2026-01-01T00:00', '2025-12-31T11:00:00.000Z'],
  ])('of %s, %s, is the instant when clocks show it', (zone, local, instant) => {
    expect(instantOf(local, zone)).toBe(instant);
    expect(formatLocal(instant, zone)).toBe(local);
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T02:30'],
    ['America/New_York', '2026-03-08T02:00'],
    ['UTC', '2026-13-01T00:00'],
    ['UTC', ''],
  ])('that no clock of %s shows, %s, is none', (zone, local) => {
    expect(instantOf(local, zone)).toBeNull();
  });

  test('round-trips for any minute of a year with clock changes', () => {
    for (let minute = 0; minute < 366 * 24 * 60; minute += 97) {
      const iso = new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
      const local = formatLocal(iso, 'Europe/Berlin');
      const found = instantOf(local, 'Europe/Berlin');
      expect(formatLocal(found ?? '', 'Europe/Berlin')).toBe(local);
      expect(Date.parse(iso) - Date.parse(found ?? '')).toBeOneOf([0, 3_600_000]);
    }
  });
});
