import { TomlDate } from 'smol-toml';
import { expect, test } from 'vitest';
import { isJekyllName, readDate, splitDatedName } from '../../../src/lib/markdown-file/dates.ts';

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
  ['1704164645', '2024-01-02T03:04:05.000Z'],
  // Digits of a day are no epoch time.
  [20190506, '2019-05-05T16:00:00.000Z'],
  ['20190506', '2019-05-05T16:00:00.000Z'],
  [201905061230, '2019-05-06T04:30:00.000Z'],
  [20190506123005, '2019-05-06T04:30:05.000Z'],
  ['20190506T102030Z', '2019-05-06T10:20:30.000Z'],
  ['2019-05', '2019-04-30T16:00:00.000Z'],
  [2019.05, '2019-04-30T16:00:00.000Z'],
  ['2019年5月', '2019-04-30T16:00:00.000Z'],
  [2019, '2018-12-31T16:00:00.000Z'],
  ['２０１９－０５－０６　１０：２０', '2019-05-06T02:20:00.000Z'],
  ['2019年5月6日 星期一 下午3:04', '2019-05-06T07:04:00.000Z'],
  ['2019年5月6日（周一）15点', '2019-05-06T07:00:00.000Z'],
  ['2019-05-06 12:20 AM', '2019-05-05T16:20:00.000Z'],
  ['2019-05-06 10:20:30 +0800 CST', '2019-05-06T02:20:30.000Z'],
  ['2019-05-06T10:20:30+08:00[Asia/Shanghai]', '2019-05-06T02:20:30.000Z'],
  ['Mon May 06 10:20:30 CST 2019', '2019-05-06T02:20:30.000Z'],
  ['Mon May 06 2019 10:20:30 GMT+0800 (中国标准时间)', '2019-05-06T02:20:30.000Z'],
  ['May 6th, 2019 3:04 PM', '2019-05-06T07:04:00.000Z'],
  ['May 6, 2019 3:04 PM (GMT+9)', '2019-05-06T06:04:00.000Z'],
  ['6-May-2019', '2019-05-05T16:00:00.000Z'],
  ['@2019年5月6日 → 2019年5月8日', '2019-05-05T16:00:00.000Z'],
  ['[[2019-05-06]]', '2019-05-05T16:00:00.000Z'],
  [[['2019-05-06']], '2019-05-05T16:00:00.000Z'],
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
  '0001-01-01',
  '10000-01-01',
  '5/6/2019',
  'Spring 2019',
  'Maybe 2019',
  `2019-05-06${' '.repeat(200_000)}x`,
  20191399,
  12345678,
  300,
  0,
  [],
  null,
  true,
  {},
  NaN,
])('%s is no date', (value) => {
  expect(iso(value)).toBeNull();
});

test('a date without a zone is one of the zone that the site names, in summer too', () => {
  const instant = (value: unknown, zone: string) => new Date(readDate(value, zone) ?? NaN).toISOString();
  expect(instant('2019-07-06 10:00', 'America/New_York')).toBe('2019-07-06T14:00:00.000Z');
  expect(instant('Jan 6, 2019 10:00', 'America/New_York')).toBe('2019-01-06T15:00:00.000Z');
  expect(instant(20190706, 'UTC')).toBe('2019-07-06T00:00:00.000Z');
  expect(instant('2019-07-06 10:00 +0800', 'UTC')).toBe('2019-07-06T02:00:00.000Z');
});

test.each([
  ['2024-01-02', '2024-01-02', '', false],
  ['2024-01-02-3题', '2024-01-02', '3题', true],
  ['2024-1-2 春天', '2024-01-02', '春天', false],
  ['2024_01_02_春天', '2024-01-02', '春天', false],
  ['20240102', '2024-01-02', '', false],
  ['20240102-春天', '2024-01-02', '春天', false],
  ['2024年1月2日春天', '2024-01-02', '春天', false],
])('the name %s has the day %s before “%s”', (name, day, rest, isJekyll) => {
  const found = splitDatedName(name);
  expect(`${found?.year}-${found?.month}-${found?.day}`).toBe(day);
  expect(found).toMatchObject({ rest, date: readDate(day) });
  expect(isJekyllName(name)).toBe(isJekyll);
});

test.each(['20241399-x', '12345678', '2024010203', '192-168-1-1'])('the name %s has no day', (name) => {
  expect(splitDatedName(name)).toBeNull();
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

test('dates before 1970 are read, in any zone', () => {
  expect(readDate('1965-05-05 10:00:00')).toBe(Date.parse('1965-05-05T10:00:00+08:00'));
  expect(readDate('1893/12/26', 'Europe/Paris')).toBe(Date.parse('1893-12-26T00:00:00+00:09'));
});
