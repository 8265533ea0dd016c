import { afterEach, beforeEach, expect, test } from 'vitest';
import { asStored, clean } from '../clean-texts.ts';
import { COMMENT_NUMBERS } from '../../src/lib/server/staff/overview-queries.ts';
import { countWrongCounters, repairCounters } from '../../src/lib/server/db/stored-counters.ts';
import { readUsers } from '../../src/lib/server/staff/list-queries.ts';
import { createListService, type ListService } from '../../src/lib/server/staff/list-service.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let writer: Person;
let lists: ListService;
beforeEach(async () => {
  stage = await openStaffStage();
  writer = await stage.signUp('王维');
  lists = createListService({ ...stage.app.services, db: stage.app.db, now: stage.now });
});
afterEach(async () => stage?.close());

const totals = async () => (await stage.app.services.overview.read('operator')).total;
const countPastDays = () => stage.app.services.overview.countPastDays(() => false);
const days = () => stage.rows('select day, comment_num from comment_days order by day');

test('the total of comments counts past days once, and follows what changes in them', async () => {
  const { db } = stage.app;
  const article = await stage.write(writer);
  const former = await stage.comment(writer, article, '独坐幽篁里');
  await stage.comment(writer, article, '弹琴复长啸');
  await countPastDays();
  expect(await days()).toEqual([]);
  expect((await totals()).comments).toBe(2);

  stage.pass(3 * DAY_MS);
  await countPastDays();
  await countPastDays();
  expect((await days()).map(({ comment_num }) => Number(comment_num))).toEqual([2]);
  await stage.comment(writer, article, '深林人不知');
  expect((await totals()).comments).toBe(3);

  await stage.app.services.comments.remove(former, writer.viewer);
  expect((await totals()).comments).toBe(2);
  const time = stage.now() - 4 * DAY_MS;
  await db.write(async (trx) => {
    const row = await trx.selectFrom('comments').selectAll().executeTakeFirstOrThrow();
    await trx
      .insertInto('comments')
      .values({ ...row, content: clean(row.content), id: 'f'.repeat(24), create_time: time })
      .execute();
  });
  expect((await totals()).comments).toBe(3);
  expect(await countWrongCounters(db.read, COMMENT_NUMBERS)).toBe(0);

  await db.write((trx) => trx.updateTable('comment_days').set({ comment_num: 9 }).execute());
  expect(await countWrongCounters(db.read, COMMENT_NUMBERS)).toBe(2);
  await db.write((trx) => repairCounters(trx, COMMENT_NUMBERS));
  expect((await totals()).comments).toBe(3);
});

test('a list of the console counts ten thousand rows and searches all', async () => {
  const { db } = stage.app;
  const [known] = await db.read.selectFrom('users').selectAll().execute();
  if (!known) throw new Error('no account');
  const numbers = Array.from({ length: 10_050 }, (_, index) => index);
  await db.write(async (trx) => {
    for (let from = 0; from < numbers.length; from += 500)
      await trx
        .insertInto('users')
        .values(
          numbers.slice(from, from + 500).map((index) => ({
            ...asStored(known),
            id: index.toString(16).padStart(24, '0'),
            username: clean(`路人${index}`),
            username_key: `路人${index}`,
            create_time: index,
          })),
        )
        .execute();
  });
  const search = (keywords: string, page = 1) =>
    readUsers(db.read, { keywords, page, pageSize: 100 }, stage.now());
  expect((await search('')).total).toBe(10_000);
  expect((await search('', 100)).rows.at(-1)?.username).toBe('路人51');
  expect((await search('', 101)).rows.at(-1)?.username).toBe('路人51');
  expect((await search('路人52')).total).toBe(1 + 10 + 100);
  expect((await search('路人5')).total).toBe(1 + 10 + 100 + 1000);
  expect((await search('路人5', 12)).rows.at(-1)?.username).toBe('路人5');

  // In parts of 50,000 rows, or of one page.
  const inParts = async (keywords: string, pageSize: number) => {
    const found: string[] = [];
    let [parts, cursor] = [0, 'start' as string | null];
    while (cursor !== null) {
      const part = await lists.users({ keywords, page: 1, pageSize, cursor });
      expect(part.total).toBe(part.result.length);
      found.push(...part.result.map(({ username }) => username));
      parts += 1;
      cursor = part.cursor ?? null;
    }
    return { found, parts };
  };
  const whole = await inParts('路人5', 100);
  expect(whole.parts).toBe(12);
  expect(whole.found.slice(0, 2)).toEqual(['路人5999', '路人5998']);
  expect(new Set(whole.found).size).toBe(1 + 10 + 100 + 1000);
  expect((await inParts('路人52', 100)).found.at(-1)).toBe('路人52');
  expect(await inParts('没有这个人', 100)).toEqual({ found: [], parts: 1 });

  // Accounts of the same millisecond are not divided.
  await db.write((trx) => trx.updateTable('users').set({ create_time: 7 }).execute());
  const pages = await Promise.all(Array.from({ length: 12 }, (_, index) => search('路人5', index + 1)));
  expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(1 + 10 + 100 + 1000);
  const { found } = await inParts('路人5', 100);
  expect([found.length, new Set(found).size]).toEqual([1 + 10 + 100 + 1000, 1 + 10 + 100 + 1000]);
});

test('a search in parts reads at most 50,000 rows a request, without gaps where rows come and go', async () => {
  const { db } = stage.app;
  const [known] = await db.read.selectFrom('users').selectAll().execute();
  if (!known) throw new Error('no account');
  const add = (from: number, to: number, time: (index: number) => number) =>
    db.write(async (trx) => {
      for (let start = from; start < to; start += 500)
        await trx
          .insertInto('users')
          .values(
            Array.from({ length: Math.min(500, to - start) }, (_, part) => ({
              ...asStored(known),
              id: (start + part).toString(16).padStart(24, '0'),
              username: clean(`${[3, 60_500].includes(start + part) ? '找到' : '路人'}${start + part}`),
              username_key: `${start + part}`,
              create_time: time(start + part),
            })),
          )
          .execute();
    });
  // 300 accounts share each time.
  await add(0, 60_600, (index) => Math.floor(index / 300));
  const first = await lists.users({ keywords: '找到', page: 1, pageSize: 20, cursor: 'start' });
  expect(first.result.map(({ username }) => username)).toEqual(['找到60500']);
  expect(Number(first.cursor)).toBeGreaterThan(20);
  expect(first.searched_to).toBe(new Date(Number(first.cursor)).toISOString());
  await add(70_000, 70_010, () => 1_000);
  await db.write((trx) => trx.deleteFrom('users').where('create_time', '=', Number(first.cursor)).execute());
  const second = await lists.users({ keywords: '找到', page: 1, pageSize: 20, cursor: first.cursor ?? '' });
  expect(second).toMatchObject({
    result: [{ username: '找到3' }],
    total: 1,
    cursor: null,
    searched_to: null,
  });
});
