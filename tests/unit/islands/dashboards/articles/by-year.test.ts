import { describe, expect, test } from 'vitest';
import { formatMinute } from '../../../../../src/lib/shared/time.ts';
import { byYear } from '../../../../../src/islands/dashboards/articles/by-year.ts';

const shanghai = (iso: string) => formatMinute(iso, 'Asia/Shanghai');
const utc = (iso: string) => formatMinute(iso, 'UTC');
const at = (create_time: string) => ({ create_time });

describe('articles by year', () => {
  test('the last second before New Year in Shanghai and the first after it stand in different years', () => {
    const first = at('2025-12-31T16:00:00.000Z');
    const last = at('2025-12-31T15:59:59.999Z');
    expect(byYear([first, last], shanghai)).toEqual([
      { year: '2026', items: [first] },
      { year: '2025', items: [last] },
    ]);
  });

  test('another time zone has its New Year at another time', () => {
    const items = [at('2025-12-31T16:00:00.000Z'), at('2025-12-31T15:59:59.999Z')];
    expect(byYear(items, utc)).toEqual([{ year: '2025', items }]);
  });

  test('keeps the order within a year', () => {
    const items = [
      at('2026-03-02T00:00:00.000Z'),
      at('2026-03-01T00:00:00.000Z'),
      at('2024-05-01T00:00:00.000Z'),
    ];
    expect(byYear(items, shanghai).map(({ year, items: { length } }) => [year, length])).toEqual([
      ['2026', 2],
      ['2024', 1],
    ]);
  });

  test('no articles give no years', () => {
    expect(byYear([], shanghai)).toEqual([]);
  });
});
