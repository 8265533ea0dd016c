import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, MIGRATIONS } from '../../src/lib/server/db/migrate.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let wei: Person;
let di: Person;
let article: string;
beforeEach(async () => {
  stage = await openStaffStage();
  [wei, di] = [await stage.signUp('王维'), await stage.signUp('裴迪')];
  article = await stage.write(wei);
});
afterEach(() => stage?.close());

const TABLES = ['comments', 'withheld_comments'] as const;

/** Restores the schema's state before quotes were references: each reply contains the given copy. */
async function makeOld(copies: ReadonlyMap<string, string>): Promise<void> {
  const { db } = stage.app;
  await db.write(async (trx) => {
    for (const table of TABLES) {
      await sql`alter table ${sql.table(table)} drop column reply_comment_id`.execute(trx);
      await sql`alter table ${sql.table(table)} add column reply_content text not null default ''`.execute(
        trx,
      );
      for (const [id, copy] of copies)
        await sql`update ${sql.table(table)} set reply_content = ${copy} where id = ${id}`.execute(trx);
    }
    await sql`update schema_version set version = 37`.execute(trx);
  });
}
const migrateAgain = () => {
  const { db } = stage.app;
  return migrate(
    db.engine,
    db.write,
    MIGRATIONS.filter(({ number }) => number <= 38),
  );
};
const quotesOf = async () => {
  const { items } = await stage.app.services.comments.pageOfArticle(
    article,
    { page: 1, order: 'oldest' },
    null,
  );
  return new Map(items.map(({ _id, reply_content }) => [_id, reply_content]));
};

describe('copies of older versions', () => {
  test('become references when the user wrote that text there before, and are dropped otherwise', async () => {
    const other = await stage.write(wei, '鹿柴');
    await stage.comment(di, other, '别处的话');
    const said = await stage.comment(di, article, '说过\r\n两行');
    await stage.comment(wei, article, '别人的话');
    const hidden = await stage.comment(di, article, '骂人的话');
    const reply = () => stage.comment(wei, article, '回复', { reply_user: '裴迪' });
    const texts = ['说过\n两行', '没说过的话', '别人的话', '别处的话', '后来才说', '骂人的话', '说过'];
    const copies = new Map<string, string>();
    for (const text of texts) copies.set(await reply(), text);
    await stage.comment(di, article, '后来才说');
    const { takedowns } = stage.app.services;
    await takedowns.decide('comment', { ids: [hidden], action: 'hide', note: '' }, null);
    await makeOld(copies);
    await migrateAgain();
    const shown = async () => {
      const quotes = await quotesOf();
      return [...copies.keys()].map((id) => quotes.get(id));
    };
    expect(await shown()).toEqual(['说过\r\n两行', '', '', '', '', '', '']);
    const old = await stage.rows(`select reply_comment_id from comments where reply_comment_id is not null`);
    expect(old.map((row) => String(row['reply_comment_id'])).toSorted()).toEqual([said, hidden].toSorted());
    await takedowns.decide('comment', { ids: [hidden], action: 'restore', note: '' }, null);
    expect(await shown()).toEqual(['说过\r\n两行', '', '', '', '', '骂人的话', '']);
  });

  test('of a hidden reply become references too', async () => {
    await stage.comment(di, article, '说过');
    const reply = await stage.comment(wei, article, '回复', { reply_user: '裴迪' });
    const { takedowns } = stage.app.services;
    await takedowns.decide('comment', { ids: [reply], action: 'hide', note: '' }, null);
    await makeOld(new Map([[reply, '说过']]));
    await migrateAgain();
    await takedowns.decide('comment', { ids: [reply], action: 'restore', note: '' }, null);
    expect((await quotesOf()).get(reply)).toBe('说过');
  });
});

describe('a quote', () => {
  test('is always of the same article and of the replied-to user', async () => {
    const secret = await stage.write(wei, '私事', true);
    const inSecret = await stage.comment(wei, secret, '只给自己看的话');
    const reply = await stage.comment(di, article, '回复', { reply_user: '王维' });
    await stage.app.db.write((trx) =>
      trx.updateTable('comments').set({ reply_comment_id: inSecret }).where('id', '=', reply).execute(),
    );
    expect((await quotesOf()).get(reply)).toBe('');
    const own = await stage.comment(di, article, '自己的话');
    const named = await stage.comment(di, article, '回复', { reply_user: '王维', reply_id: own });
    expect((await quotesOf()).get(named)).toBe('');
    const right = await stage.comment(wei, article, '回复', { reply_user: '裴迪', reply_id: own });
    expect((await quotesOf()).get(right)).toBe('自己的话');
  });
});
