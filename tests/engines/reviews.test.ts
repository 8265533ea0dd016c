import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Takedown } from '../../src/lib/contract/calls/review-calls.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let author: Person;
let other: Person;
let editor: Person;
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  stage = await openStaffStage();
  author = await stage.signUp('王维');
  other = await stage.signUp('裴迪');
  editor = await stage.signUp('老李');
  await stage.app.services.roles.set('老李', 'editor', null);
  await stage.app.services.options.change({ holdArticles: 'all', holdComments: 'all' }, null);
});
afterAll(() => stage?.close());
beforeEach(() => stage.pass(1_000));

const services = () => stage.app.services;
const decide = async (id: string, action: Takedown, note = '', kind: 'article' | 'comment' = 'article') => {
  stage.pass(1_000);
  return services().takedowns.decide(kind, { ids: [id], action, note }, editor.viewer.id);
};
const save = (id: string, content: string, more: object = {}) =>
  services().articles.edit(
    { id, title: '鹿柴', content, tags: ['诗'], type: '', status: 'normal', secret: false, ...more },
    author.viewer,
  );
const review = (id: string) => services().reviews.ofAuthor(id, author.viewer);
const resubmit = (id: string) => services().reviews.resubmit(id, author.viewer);
const held = async (id: string) =>
  (await services().takedowns.listHeld({ kind: '', page: 1, pageSize: 50 })).result.find(
    (item) => item._id === id,
  );
const isPublic = async (id: string) => (await services().articles.find(id, null)) !== null;

describe('a refused article', () => {
  test('is submitted again when its author publishes a change, and approved with the time of approval', async () => {
    const id = await stage.write(author, '鹿柴');
    await decide(id, 'hide', '请注明出处');
    expect(await review(id)).toMatchObject({
      state: 'hidden',
      note: '未通过：请注明出处',
      can_resubmit: true,
      decisions: [{ state: 'hidden', note: '请注明出处' }],
    });
    await save(id, '空山不见人。出处：辋川集');
    expect(await isPublic(id)).toBe(false);
    expect(await review(id)).toMatchObject({ state: 'held', note: '审核中', can_resubmit: false });
    expect(await held(id)).toMatchObject({
      reasons: ['all', 'resubmitted'],
      last: { state: 'hidden', note: '请注明出处' },
    });
    stage.pass(HOUR_MS);
    await decide(id, 'restore');
    const found = await services().articles.find(id, null);
    expect(found?.create_time).toBeGreaterThan(Date.now() + HOUR_MS / 2);
    expect((await review(id)).decisions.map(({ state }) => state)).toEqual(['shown', 'hidden']);
  });

  test('stays refused if it is submitted unchanged, by others, or was not refused', async () => {
    const id = await stage.write(author, '竹里馆');
    await expect(resubmit(id)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUBMIT' });
    await decide(id, 'hide', '太短');
    await expect(resubmit(id)).rejects.toMatchObject({ code: 'RESUBMIT_UNCHANGED' });
    await expect(services().reviews.resubmit(id, other.viewer)).rejects.toMatchObject({
      code: 'ARTICLE_NOT_FOUND',
    });
    await expect(services().reviews.ofAuthor(id, other.viewer)).rejects.toMatchObject({
      code: 'ARTICLE_NOT_FOUND',
    });
    await save(id, '独坐幽篁里', { status: 'draft' });
    await expect(resubmit(id)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUBMIT' });
    await save(id, '独坐幽篁里', { secret: true });
    await expect(resubmit(id)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUBMIT' });
    await services().articles.remove(id, author.viewer);
    await expect(resubmit(id)).rejects.toMatchObject({ code: 'ARTICLE_NOT_FOUND' });
    expect(await held(id)).toBeUndefined();
  });

  test.each([
    ['tags', { tags: ['唐诗'] }],
    ['summary', { description: '辋川二十首之一' }],
    ['source', { source: '辋川集' }],
  ])('is changed in its %s and submitted again', async (_, more) => {
    const id = await stage.write(author, '鹿柴');
    await decide(id, 'hide', '请改正');
    const text = (await services().articles.readSource(id, author.viewer)).content;
    await save(id, text, more);
    await resubmit(id);
    expect(await review(id)).toMatchObject({ state: 'held' });
  });

  test('shows staff the listed words of its new text only', async () => {
    await services().words.add(['代购', '高仿'], { category: '', action: 'hold' }, null);
    const id = await stage.write(author, '茶事');
    await save(id, '找我代购');
    expect(await held(id)).toMatchObject({ words: ['代购'] });
    await decide(id, 'hide', '不要广告');
    await save(id, '高仿也有');
    await resubmit(id);
    expect(await held(id)).toMatchObject({ reasons: ['all', 'word', 'resubmitted'], words: ['高仿'] });
    await decide(id, 'hide', '不要广告');
    await save(id, '只喝不卖');
    await resubmit(id);
    expect(await held(id)).toMatchObject({ reasons: ['all', 'resubmitted'] });
    expect(await held(id)).not.toHaveProperty('words');
  });

  test('is refused again with another reason, and all decisions are kept', async () => {
    const id = await stage.write(author, '辛夷坞');
    await decide(id, 'hide', '一');
    await save(id, '木末芙蓉花');
    await resubmit(id);
    await decide(id, 'hide', '二');
    await save(id, '木末芙蓉花，山中发红萼');
    await resubmit(id);
    await decide(id, 'delete', '三');
    await services().trash.restore(id, author.viewer);
    expect(await review(id)).toMatchObject({
      note: '未通过：三',
      can_resubmit: true,
      decisions: [{ note: '三' }, { note: '二' }, { note: '一' }],
    });
  });

  test('of an article that readers saw, says that it is hidden', async () => {
    const id = await stage.write(author, '木兰柴');
    await decide(id, 'restore');
    await decide(id, 'hide', '有人举报');
    expect(await review(id)).toMatchObject({ note: '已被隐藏：有人举报', can_resubmit: true });
  });

  test('hidden by a ban, cannot be submitted and has no decision', async () => {
    const banned = await stage.signUp('崔兴宗');
    const id = await stage.write(banned, '送别');
    await decide(id, 'restore');
    await services().bans.ban({ username: '崔兴宗', until: null, reason: '广告', hides: true }, null);
    const seen = await services().reviews.ofAuthor(id, banned.viewer);
    expect(seen).toMatchObject({ state: 'hidden', can_resubmit: false });
    await services().bans.unban('崔兴宗', null);
    expect((await services().reviews.ofAuthor(id, banned.viewer)).decisions).toHaveLength(1);
    expect(await isPublic(id)).toBe(true);
  });
});

describe('the text that was judged', () => {
  const texts = (id: string) =>
    stage.rows(`select content from moderation_decisions where item_id = '${id}' order by create_time`);

  test('is stored with the newest decision only, and removed with the article', async () => {
    const id = await stage.write(author, '文杏馆');
    await decide(id, 'hide', '一');
    await save(id, '文杏裁为梁');
    await decide(id, 'hide', '二');
    expect((await texts(id)).map((row) => row['content'])).toEqual(['', '文杏裁为梁']);
    await services().articles.remove(id, author.viewer);
    await services().trash.empty(author.viewer);
    expect(await texts(id)).toEqual([]);
  });
});

describe('undoing', () => {
  test.each(['article', 'comment'] as const)('an approval of an %s keeps its reasons', async (kind) => {
    const place = await stage.write(other, '孟城坳');
    await decide(place, 'restore');
    const id = kind === 'article' ? place : await stage.comment(author, place, '新家孟城口');
    if (kind === 'comment') await decide(id, 'restore', '', kind);
    await decide(id, 'hold', '', kind);
    expect((await held(id))?.reasons).toEqual(['all']);
  });

  test('a refusal keeps its reasons, and staff’s own hold has one', async () => {
    const id = await stage.write(author, '华子冈');
    await decide(id, 'hide', '太短');
    await decide(id, 'hold');
    expect((await held(id))?.reasons).toEqual(['all']);
    await services().options.change({ holdArticles: 'none' }, null);
    const shown = await stage.write(author, '斤竹岭');
    await services().options.change({ holdArticles: 'all' }, null);
    await decide(shown, 'hold');
    expect((await held(shown))?.reasons).toEqual(['staff']);
  });
});
