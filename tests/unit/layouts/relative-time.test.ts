import { describe, expect, test } from 'vitest';
import { formatMinute } from '../../../src/lib/shared/time.ts';
import { relativeTime } from '../../../src/lib/shared/relative-time.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/contract/rules/units.ts';

const NOW = '2026-11-21T04:05:06.000Z';

/** Relative form of `iso` at `now`, on a site in `timeZone`. */
const called = (iso: string, now = NOW, timeZone = 'Asia/Shanghai') =>
  relativeTime(Date.parse(now) - Date.parse(iso), formatMinute(iso, timeZone));
const ago = (age: number) => called(new Date(Date.parse(NOW) - age).toISOString());

describe('how long ago something was', () => {
  test.each([
    [0, '刚刚'],
    [MINUTE_MS - 1, '刚刚'],
    [MINUTE_MS, '1 分钟前'],
    [2 * MINUTE_MS - 1, '1 分钟前'],
    [HOUR_MS - 1, '59 分钟前'],
    [HOUR_MS, '1 小时前'],
    [2 * HOUR_MS - 1, '1 小时前'],
    [DAY_MS - 1, '23 小时前'],
    [DAY_MS, '1 天前'],
    [7 * DAY_MS - 1, '6 天前'],
    [7 * DAY_MS, '11月14日'],
  ])('%i ms ago is %s', (age, text) => {
    expect(ago(age)).toBe(text);
  });

  test("a reader's clock less than an hour behind shows no dates", () => {
    expect(ago(-1)).toBe('刚刚');
    expect(ago(-HOUR_MS + 1)).toBe('刚刚');
    expect(ago(-HOUR_MS)).toBe('11月21日');
    expect(called('2099-01-01T00:00:00.000Z')).toBe('2099-01-01');
  });

  test("the year changes in the site's time zone, not in UTC or the reader's", () => {
    // 2026-01-01 00:30 in Shanghai; in UTC it is still 2025.
    expect(called('2025-12-31T16:30:00.000Z')).toBe('01月01日');
    expect(called('2025-12-31T15:59:00.000Z')).toBe('2025-12-31');
    expect(called('2025-12-31T16:30:00.000Z', NOW, 'UTC')).toBe('2025-12-31');
    // 00:45 on New Year's Day in Shanghai; in London it is still the old year.
    expect(called('2025-12-20T00:00:00.000Z', '2025-12-31T16:45:00.000Z')).toBe('2025-12-20');
    expect(called('2025-12-20T00:00:00.000Z', '2025-12-31T15:45:00.000Z')).toBe('12月20日');
  });

  test("months and days have two digits, in the site's time zone", () => {
    expect(called('2026-03-04T18:00:00.000Z')).toBe('03月05日');
    expect(called('2026-03-04T18:00:00.000Z', NOW, 'America/New_York')).toBe('03月04日');
  });
});
