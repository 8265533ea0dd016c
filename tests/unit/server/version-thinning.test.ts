import { expect, test } from 'vitest';
import type { VersionHead } from '../../../src/lib/server/articles/history/version-queries.ts';
import { surplusOf } from '../../../src/lib/server/articles/history/version-service.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/contract/rules/units.ts';

const NOW = Date.UTC(2026, 10, 23, 12);

/** Versions of these ages, newest first. */
const heads = (ages: number[], fields: Partial<VersionHead> = {}): VersionHead[] =>
  ages.map((age, index) => ({
    id: String(index),
    kind: 'draft',
    create_time: NOW - age,
    digest: String(index),
    bytes: 100,
    ...fields,
  }));
const every = (step: number, until: number) =>
  Array.from({ length: until / step }, (_, index) => index * step);
const left = (all: VersionHead[]) => all.length - surplusOf(all, NOW).length;

test('all drafts of the last hour stay, then one per hour, day and week', () => {
  expect(left(heads(every(5 * MINUTE_MS, HOUR_MS)))).toBe(12);
  expect(left(heads(every(5 * MINUTE_MS, DAY_MS).map((age) => age + HOUR_MS)))).toBeLessThanOrEqual(26);
  expect(left(heads(every(HOUR_MS, 29 * DAY_MS).map((age) => age + DAY_MS)))).toBeLessThanOrEqual(31);
  expect(left(heads(every(DAY_MS, 70 * DAY_MS).map((age) => age + 31 * DAY_MS)))).toBeLessThanOrEqual(11);
});

test('the last of each span stays, and thinning again changes nothing', () => {
  const all = heads(every(10 * MINUTE_MS, 3 * DAY_MS));
  const gone = new Set(surplusOf(all, NOW));
  const rest = all.filter((head) => !gone.has(head));
  expect(rest[0]).toBe(all[0]);
  expect(surplusOf(rest, NOW)).toEqual([]);
});

test('publications stay, a hundred of them', () => {
  expect(
    left(
      heads(
        every(MINUTE_MS, HOUR_MS).map((age) => age + 100 * DAY_MS),
        { kind: 'publication' },
      ),
    ),
  ).toBe(60);
  expect(left(heads(every(MINUTE_MS, 5 * HOUR_MS), { kind: 'publication' }))).toBe(100);
});

test('of 10,000 versions at most 200 stay, and of long texts 8 MB, always including the newest', () => {
  const many = heads(every(300, 10_000 * 300));
  expect(left(many)).toBe(200);
  expect(surplusOf(many, NOW)).not.toContain(many[0]);
  const long = heads(every(5 * MINUTE_MS, HOUR_MS), { bytes: 3 * 1024 * 1024 });
  expect(left(long)).toBe(2);
  expect(left(heads([0], { bytes: 100 * 1024 * 1024 }))).toBe(1);
});

test('drafts are removed before publications', () => {
  const all = [
    ...heads(every(MINUTE_MS, HOUR_MS), { bytes: 1024 * 1024 }),
    ...heads([2 * DAY_MS], { kind: 'publication' }),
  ];
  expect(surplusOf(all, NOW)).not.toContain(all.at(-1));
});
