import { afterEach, beforeEach, expect, test } from 'vitest';
import { ARTICLE_NUMBERS } from '../../src/lib/server/articles/core/count-queries.ts';
import { countWritten, listWritten } from '../../src/lib/server/comments/comment-queries.ts';
import { countWrongInvisible } from '../../src/lib/server/comments/invisible-queries.ts';
import {
  countReceived,
  countUnread,
  countUnreadOf,
  listReceived,
} from '../../src/lib/server/comments/recipient-queries.ts';
import { countWrongCounters } from '../../src/lib/server/db/stored-counters.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let author: Person;
let reader: Person;
let other: Person;
let article: string;

beforeEach(async () => {
  stage = await openStaffStage();
  [author, reader, other] = [
    await stage.signUp('王维'),
    await stage.signUp('裴迪'),
    await stage.signUp('孟浩然'),
  ];
  article = await stage.write(author);
});
afterEach(() => stage?.close());

const ALL = { offset: 0, limit: 1000 };

/** Comments that a person has written, received and not read, as [author, reader, other] see them. */
async function totals(): Promise<[written: number, received: number, unread: number][]> {
  const { read } = stage.app.db;
  expect(await countWrongInvisible(read)).toBe(0);
  const people = [author, reader, other].map(({ viewer }) => viewer);
  const unread = await countUnreadOf(
    read,
    people.map(({ id }) => id),
  );
  const all: [number, number, number][] = [];
  for (const viewer of people) {
    const counts: [number, number, number] = [
      await countWritten(read, viewer),
      await countReceived(read, viewer),
      await countUnread(read, viewer),
    ];
    expect(counts.slice(0, 2)).toEqual([
      (await listWritten(read, viewer, ALL)).length,
      (await listReceived(read, viewer, ALL)).length,
    ]);
    expect(unread.get(viewer.id) ?? 0).toBe(counts[2]);
    all.push(counts);
  }
  return all;
}

const setState = (changes: { status?: 'normal' | 'draft' | 'cancel'; secret?: 0 | 1; is_public: 0 | 1 }) =>
  stage.app.db.write((trx) => trx.updateTable('articles').set(changes).where('id', '=', article).execute());

async function discuss(): Promise<{ first: string; reply: string }> {
  const first = await stage.comment(reader, article, '空山不见人');
  const reply = await stage.comment(other, article, '但闻人语响', {
    reply_user: '裴迪',
    reply_content: '空山不见人',
  });
  await stage.comment(author, article, '返景入深林', { reply_user: '裴迪', reply_content: '空山不见人' });
  return { first, reply };
}

test('the totals of an account follow what it sees of each article', async () => {
  await discuss();
  const shown = await totals();
  expect(shown).toEqual([
    [1, 2, 2],
    [1, 2, 2],
    [1, 0, 0],
  ]);
  // Only its author sees a secret article, and no account sees a deleted one.
  await setState({ secret: 1, is_public: 0 });
  expect(await totals()).toEqual([
    [1, 2, 2],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  await setState({ status: 'cancel', is_public: 0 });
  expect(await totals()).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  await setState({ status: 'normal', secret: 0, is_public: 1 });
  expect(await totals()).toEqual(shown);
});

test('comments that are added, hidden, shown and deleted meanwhile are counted as they are seen', async () => {
  const { first, reply } = await discuss();
  const { takedowns, comments } = stage.app.services;
  const decide = (action: 'hide' | 'restore') =>
    takedowns.decide('article', { ids: [article], action, note: '不合适' }, null);
  await decide('hide');
  await stage.comment(author, article, '复照青苔上');
  expect(await totals()).toEqual([
    [2, 2, 2],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  await takedowns.decide('comment', { ids: [reply], action: 'hide', note: '不合适' }, null);
  await decide('restore');
  expect(await totals()).toEqual([
    [2, 1, 1],
    [1, 1, 1],
    [0, 0, 0],
  ]);
  await takedowns.decide('comment', { ids: [reply], action: 'restore', note: '' }, null);
  expect((await totals()).at(-1)).toEqual([1, 0, 0]);
  await decide('hide');
  await comments.remove(first, author.viewer);
  expect(await totals()).toEqual([
    [2, 1, 1],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(await stage.rows(`select comment_id from invisible_comments where comment_id = '${first}'`)).toEqual(
    [],
  );
  await decide('restore');
  expect((await totals())[0]).toEqual([2, 1, 1]);
});

test('what is read stays read while nobody sees the article', async () => {
  const { first } = await discuss();
  await stage.app.services.comments.markRead([first], author.viewer);
  await setState({ secret: 1, is_public: 0 });
  await setState({ secret: 0, is_public: 1 });
  expect((await totals())[0]).toEqual([1, 2, 1]);
});

test('the articles of a series are counted while they are public', async () => {
  const { series, articles, trash } = stage.app.services;
  const made = await series.create({ title: '辋川集', description: '', cover: '' }, author.viewer);
  const later = await series.create({ title: '别集', description: '', cover: '' }, author.viewer);
  const fields = { title: '鹿柴', content: '空山不见人', tags: [], type: '', status: 'normal' as const };
  const { id } = await articles.create({ ...fields, secret: false, series: made._id }, author.viewer);
  const counts = async () => {
    for (const counter of ARTICLE_NUMBERS)
      expect(await countWrongCounters(stage.app.db.read, counter)).toBe(0);
    const rows = await stage.rows('select page_num from series order by id');
    return rows.map(({ page_num }) => Number(page_num));
  };
  expect(await counts()).toEqual([1, 0]);
  await articles.edit({ id, ...fields, secret: true, series: made._id }, author.viewer);
  expect(await counts()).toEqual([0, 0]);
  await articles.edit({ id, ...fields, secret: false, series: later._id }, author.viewer);
  expect(await counts()).toEqual([0, 1]);
  await series.edit({ id: later._id, title: '外集', description: '', cover: '' }, author.viewer);
  expect(await counts()).toEqual([0, 1]);
  await articles.remove(id, author.viewer);
  expect(await counts()).toEqual([0, 0]);
  await trash.restore(id, author.viewer);
  expect(await counts()).toEqual([0, 1]);
  await series.remove(later._id, author.viewer);
  expect(await counts()).toEqual([0]);
});
