import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStaffStage, PASSWORD, FROM, type Person, type StaffStage } from './staff-stage.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';

const TEXT = '本店新到一批明前好茶，欢迎各位新老朋友光临选购';

let stage: StaffStage;
let wei: Person;
let di: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  [wei, di] = [await stage.signUp('王维'), await stage.signUp('裴迪')];
});
afterEach(() => stage?.close());

const services = () => stage.app.services;
const decide = (
  action: 'hide' | 'restore' | 'delete' | 'hold',
  id: string,
  kind: 'article' | 'comment' = 'article',
  note = '',
) => services().takedowns.decide(kind, { ids: [id], action, note }, null);
const isPublic = async (id: string) => (await services().articles.find(id, null)) !== null;
const edit = (id: string, author: Person, more: object = {}) =>
  services().articles.edit(
    {
      id,
      title: '改过',
      content: '改过的字',
      tags: ['诗'],
      type: '',
      status: 'normal',
      secret: false,
      ...more,
    },
    author.viewer,
  );
const pending = async () => {
  const { result, total } = await services().takedowns.listHeld({ kind: '', page: 1, pageSize: 10 });
  expect(result).toHaveLength(total);
  expect(await services().takedowns.countHeld()).toBe(total);
  return result;
};

describe('an article that its author deleted after staff hid it', () => {
  test('stays deleted whatever staff decides, and restoring it applies that decision', async () => {
    const hidden = await stage.write(wei, '鹿柴');
    await decide('hide', hidden);
    await services().articles.remove(hidden, wei.viewer);
    expect(await decide('delete', hidden)).toEqual([]);
    expect(await decide('restore', hidden)).toEqual([hidden]);
    expect(await isPublic(hidden)).toBe(false);
    const { total } = await services().trash.list({ page: 1, pageSize: 10 }, wei.viewer);
    expect(total).toBe(1);
    await services().trash.restore(hidden, wei.viewer);
    expect(await isPublic(hidden)).toBe(true);
  });

  test('does so too after staff made it pending, or deleted it and its author restored and deleted it again', async () => {
    const held = await stage.write(wei, '竹里馆');
    await decide('hold', held);
    await services().articles.remove(held, wei.viewer);
    expect(await decide('delete', held)).toEqual([held]);
    await services().trash.restore(held, wei.viewer);
    expect(await isPublic(held)).toBe(false);
    const deleted = await stage.write(wei, '辛夷坞');
    await decide('delete', deleted);
    await services().trash.restore(deleted, wei.viewer);
    await services().articles.remove(deleted, wei.viewer);
    expect(await decide('restore', deleted)).toEqual([deleted]);
    expect(await isPublic(deleted)).toBe(false);
  });

  test('is not published by the end of a ban that hid it', async () => {
    const id = await stage.write(wei, '鹿柴');
    await services().bans.ban(
      { username: '王维', until: stage.now() + DAY_MS, reason: '广告', hides: true },
      null,
    );
    stage.pass(DAY_MS + 1);
    const { token } = await services().auth.signin({ username: '王维', password: PASSWORD }, FROM);
    const { viewer } = await services().auth.viewerOf(token);
    if (!viewer) throw new Error('not signed in');
    await services().articles.remove(id, viewer);
    await services().bans.showAfterBans(() => false);
    expect(await isPublic(id)).toBe(false);
    await services().trash.restore(id, viewer);
    expect(await isPublic(id)).toBe(true);
  });
});

test('content hidden by staff during a ban, with or without a reason, stays hidden after it', async () => {
  const one = await stage.write(wei, '鹿柴');
  const two = await stage.write(wei, '竹里馆');
  const remark = await stage.comment(wei, await stage.write(di, '茱萸沜'), '广告');
  await services().bans.ban({ username: '王维', until: null, reason: '广告', hides: true }, null);
  expect(await decide('hide', one, 'article', '抄袭')).toEqual([one]);
  expect(await decide('hide', two)).toEqual([two]);
  expect(await decide('hide', remark, 'comment', '广告')).toEqual([remark]);
  expect(await decide('hide', one, 'article', '抄袭')).toEqual([]);
  await services().bans.unban('王维', null);
  expect([await isPublic(one), await isPublic(two)]).toEqual([false, false]);
  expect((await services().comments.anyOf([remark])).size).toBe(1);
  expect(await services().comments.find(remark, null)).toBeNull();
});

describe('a pending article', () => {
  test('leaves the queue while its author withdraws it, and returns with the same reasons', async () => {
    await services().words.add(['代购'], { category: '', action: 'hold' }, null);
    const id = await stage.write(wei, '代购');
    expect(await pending()).toMatchObject([{ _id: id, reasons: ['word'], words: ['代购'] }]);
    for (const kept of [{ status: 'draft' }, { secret: true }]) {
      await edit(id, wei, kept);
      expect(await pending()).toEqual([]);
      expect((await services().articles.readSource(id, wei.viewer)).moderation).toBeUndefined();
      await edit(id, wei);
      expect(await pending()).toMatchObject([{ _id: id, title: '改过', reasons: ['word'] }]);
    }
    await services().articles.remove(id, wei.viewer);
    expect(await pending()).toEqual([]);
    await services().trash.restore(id, wei.viewer);
    expect(await pending()).toMatchObject([{ _id: id }]);
    const lists = await services().staffLists.articles({
      keywords: '',
      state: 'held',
      page: 1,
      pageSize: 10,
    });
    expect(lists.total).toBe(1);
    expect(await decide('restore', id)).toEqual([id]);
    expect(await isPublic(id)).toBe(true);
  });

  test('is pending for its current text, and keeps its place in the queue and staff’s notes', async () => {
    await services().words.add(['代购'], { category: '', action: 'hold' }, null);
    const id = await stage.write(wei, '鹿柴');
    await decide('hold', id, 'article', '请注明出处');
    const [before] = await pending();
    stage.pass(60_000);
    await edit(id, wei, { content: '代购' });
    expect(await pending()).toEqual([
      {
        ...before,
        version: expect.any(String),
        title: '改过',
        content: '代购',
        reasons: ['word'],
        words: ['代购'],
      },
    ]);
    const notes = await services().reviews.notesOf([
      { _id: id, moderation: 'held', status: 'normal', secret: false },
    ]);
    expect(notes.get(id)).toEqual({ moderation_note: '审核中：请注明出处' });
  });
});

describe('listed words', () => {
  const ASKED = { q: '', category: '', action: '' } as const;

  test('that held an item are shown as they were listed, until it is held for another reason', async () => {
    const { words, options } = services();
    await words.add(['代购', '赌博'], { category: '', action: 'hold' }, null);
    await words.add(['笨蛋'], { category: '', action: 'mask' }, null);
    const id = await stage.write(wei, '茶');
    await edit(id, wei, { content: '代 购，賭博，代购，笨蛋' });
    const remark = await stage.comment(wei, await stage.write(di, '茱萸沜'), '赌 博，笨蛋');
    const held = async () => new Map((await pending()).map((item) => [item._id, item.words]));
    expect(await held()).toEqual(
      new Map([
        [id, ['代购', '赌博', '笨蛋']],
        [remark, ['赌博']],
      ]),
    );
    const { result } = await words.list({ ...ASKED, page: 1, pageSize: 10 });
    await words.remove(
      result.map((word) => word.id),
      null,
    );
    expect((await held()).get(remark)).toEqual(['赌博']);
    await options.change({ holdArticles: 'all' }, null);
    await edit(id, wei, { content: '只是茶' });
    expect((await pending()).find(({ _id }) => _id === id)).toMatchObject({ reasons: ['all'] });
    expect((await held()).get(id)).toBeUndefined();
  });

  test('go in and out as a file; bad lines are named and the rest is listed', async () => {
    const { words } = services();
    const file = '代购\t拒绝发布\t广告\n。。。\n赌博\n';
    expect(await words.importFile(file, { action: 'hold', category: '' }, wei.viewer.id)).toEqual({
      added: 2,
      changed: 0,
      problems: [{ line: 2, text: '。。。', problem: '没有文字，无法查找' }],
      problem_num: 1,
    });
    expect(await words.importFile('赌博\t遮盖', { action: 'hold', category: '' }, null)).toMatchObject({
      added: 0,
      changed: 1,
    });
    expect(new Set((await words.exportFile(ASKED)).split('\n'))).toEqual(
      new Set(['代购\t拒绝发布\t广告', '赌博\t遮盖', '']),
    );
    expect(await words.exportFile({ ...ASKED, action: 'mask' })).toBe('赌博\t遮盖\n');
    const bad = await words.importFile('。\n'.repeat(150), { action: 'hold', category: '' }, null);
    expect([bad.problems.length, bad.problem_num, bad.added]).toEqual([100, 150, 0]);
  });

  test('of 50,000 lines are listed, found and removed; one more is refused and lists none', async () => {
    const { words } = services();
    const all = Array.from({ length: 50_000 }, (_, index) => `违禁词${index}号`);
    const defaults = { action: 'hold', category: '' } as const;
    const tooMany = words.importFile([...all, '再一个'].join('\n'), defaults, null);
    await expect(tooMany).rejects.toMatchObject({ code: 'WORDS_TOO_MANY' });
    expect(await words.importFile(all.join('\n'), defaults, null)).toMatchObject({ added: 50_000 });
    await expect(words.importFile('再一个', defaults, null)).rejects.toMatchObject({
      code: 'WORDS_TOO_MANY',
    });
    expect(await words.importFile('违禁词7号\t遮盖', defaults, null)).toMatchObject({ changed: 1 });
    expect(await words.find('说到違禁詞49999号')).toEqual([
      { word: '违禁词49999号', category: '', action: 'hold', start: 2, end: 11 },
    ]);
  });
});

describe('a repeat', () => {
  test('is not an unchanged article or comment that others copied', async () => {
    const place = await stage.write(di, '茱萸沜');
    const original = await stage.write(wei, TEXT);
    const remark = await stage.comment(wei, place, TEXT);
    const copiers = [await stage.signUp('储光羲'), await stage.signUp('丘为')];
    for (const copier of copiers) await stage.write(copier, TEXT);
    const copied = { title: TEXT, content: `${TEXT}：空山新雨后` };
    await edit(original, wei, { ...copied, comments_closed: true });
    expect(await isPublic(original)).toBe(true);
    const edited = await services().comments.edit({ id: remark, content: `${TEXT}！` }, wei.viewer);
    expect(edited).not.toHaveProperty('state');
  });

  test('is a new account’s comment edited to match another, not one edited back', async () => {
    const place = await stage.write(di, '茱萸沜');
    const one = await stage.comment(wei, place, TEXT);
    const two = await stage.comment(wei, place, '好诗');
    const change = (id: string, content: string) => services().comments.edit({ id, content }, wei.viewer);
    await change(one, '另外的话，也足够长，一天之内会被记住');
    expect(await change(one, TEXT)).not.toHaveProperty('state');
    expect(await change(two, TEXT)).toMatchObject({ state: 'held' });
    expect(await pending()).toMatchObject([{ _id: two, reasons: ['repeat'] }]);
  });

  test('is content hidden by staff and posted again by its author, until staff unhides it', async () => {
    const first = await stage.write(wei, TEXT);
    await decide('hold', first);
    await services().articles.remove(first, wei.viewer);
    await services().trash.purge(first, wei.viewer);
    const second = await stage.write(wei, TEXT);
    expect(await pending()).toMatchObject([{ _id: second, reasons: ['repeat'] }]);
    stage.pass(2 * DAY_MS);
    await services().moderation.purge();
    const third = await stage.write(wei, TEXT);
    expect(await isPublic(third)).toBe(false);
    stage.pass(31 * DAY_MS);
    await services().moderation.purge();
    expect(await isPublic(await stage.write(wei, TEXT))).toBe(true);
    // Comments are removed permanently when their author deletes them.
    const place = await stage.write(di, '茱萸沜');
    const remark = await stage.comment(di, place, TEXT);
    await decide('hide', remark, 'comment');
    await services().comments.remove(remark, di.viewer);
    const again = await stage.comment(di, place, TEXT);
    expect(await services().comments.find(again, null)).toBeNull();
    await decide('restore', again, 'comment');
    await services().comments.remove(again, di.viewer);
  });
});

test('closing an account removes comments visible only to it, and their queue entries', async () => {
  const place = await stage.write(di, '茱萸沜');
  const remark = await stage.comment(wei, place, '广告');
  await decide('hold', remark, 'comment');
  await services().closing.close(wei.viewer, { password: PASSWORD, contents: 'keep' }, FROM);
  expect(await pending()).toEqual([]);
  expect(await decide('restore', remark, 'comment')).toEqual([]);
});
