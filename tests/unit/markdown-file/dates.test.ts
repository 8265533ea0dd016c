import { TomlDate } from 'smol-toml';
import { expect, test } from 'vitest';
import { readDate, splitDatedName } from '../../../src/lib/markdown-file/dates.ts';

const iso = (value: unknown) => {
  const instant = readDate(value);
  return instant === null ? null : new Date(instant).toISOString();
};

test.each([
  ['2024-01-02', '2024-01-01T16:00:00.000Z'],
  ['2024/1/2 3:04', '2024-01-01T19:04:00.000Z'],
  ['2024-01-02 03:04:05.678', '2024-01-01T19:04:05.678Z'],
  ['2024年1月2日 3时4分', '2024-01-01T19:04:00.000Z'],
  ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02T03:04:05-05:30', '2024-01-02T08:34:05.000Z'],
  ['2024-01-02 03:04:05 +0800', '2024-01-01T19:04:05.000Z'],
  ['Tue, 02 Jan 2024 03:04:05 +0000', '2024-01-02T03:04:05.000Z'],
  ['Jan 2, 2024', '2024-01-01T16:00:00.000Z'],
  ['9999-01-01', '9998-12-31T16:00:00.000Z'],
  [1_704_164_645, '2024-01-02T03:04:05.000Z'],
  [1_704_164_645_000, '2024-01-02T03:04:05.000Z'],
  [new TomlDate('2024-01-02T03:04:05+01:00'), '2024-01-02T02:04:05.000Z'],
  [new TomlDate('2024-01-02T03:04:05'), '2024-01-01T19:04:05.000Z'],
  [new TomlDate('2024-01-02'), '2024-01-01T16:00:00.000Z'],
])('%s is a date; without a zone it is one of Shanghai', (value, expected) => {
  expect(iso(value)).toBe(expected);
});

test.each([
  '2024-02-30',
  '2024-13-01',
  '2024-01-01 25:00',
  '昨天',
  '',
  '1969-01-01',
  '10000-01-01',
  null,
  true,
  {},
  NaN,
])('%s is no date', (value) => {
  expect(iso(value)).toBeNull();
});

test('a name can begin with its date', () => {
  expect(splitDatedName('2024-1-2-你好-world')).toMatchObject({
    year: '2024',
    month: '01',
    day: '02',
    rest: '你好-world',
  });
  expect(splitDatedName('2024-99-01-x')).toBeNull();
  expect(splitDatedName('notes-2024-01-02')).toBeNull();
});
