import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMENT_NUMBERS } from '../../src/lib/server/staff/overview-queries.ts';
import { countWrongCounters, repairCounters } from '../../src/lib/server/db/stored-counters.ts';
import { readUsers } from '../../src/lib/server/staff/list-queries.ts';
import { DAY_MS } from '../../src/lib/shared/units.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let writer: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  writer = await stage.signUp('王维');
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
      .values({ ...row, id: 'f'.repeat(24), create_time: time })
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
            ...known,
            id: index.toString(16).padStart(24, '0'),
            username: `路人${index}`,
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

  // Accounts of the same millisecond are not divided.
  await db.write((trx) => trx.updateTable('users').set({ create_time: 7 }).execute());
  const pages = await Promise.all(Array.from({ length: 12 }, (_, index) => search('路人5', index + 1)));
  expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(1 + 10 + 100 + 1000);
});
