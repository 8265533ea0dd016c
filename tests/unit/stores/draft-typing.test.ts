import { beforeEach, describe, expect, test } from 'vitest';
import { listUnfinished } from '../../../src/lib/stores/draft/draft-open.ts';
import {
  createWorld,
  failure,
  NOTHING,
  published,
  settle,
  stateOf,
  WHOLE,
  type World,
} from './draft-world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('typed text', () => {
  test('survives killing the tab right after the keystroke', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '空' });
    tab.draft.change({ content: '空山 ', title: '\n ', tags: ['诗'], secret: true });
    tab.crash();
    expect((await world.open()).draft.$fields.get()).toEqual({
      content: '空山 ',
      title: '\n ',
      tags: ['诗'],
      secret: true,
    });
    expect(world.server.received).toEqual([]);
  });

  test('becomes one draft on the server soon after the last keystroke', async () => {
    const tab = await world.open();
    for (const content of ['空', '空山', '空山新']) {
      tab.draft.change({ content });
      await world.pass(1_000);
      expect(world.server.articles.size).toBe(0);
    }
    expect(stateOf(tab)).toEqual(['dirty', null]);
    await world.pass(600);
    expect(stateOf(tab)).toEqual(['saved', null]);
    expect(world.server.only()).toMatchObject({ content: '空山新', status: 'draft' });
    expect(tab.draft.$id.get()).toBe(world.server.only()._id);
    tab.draft.change({ content: '空山新雨' });
    await world.pass(2_000);
    expect(world.server.only().content).toBe('空山新雨');
  });

  test('is saved every ten seconds during continuous typing', async () => {
    const tab = await world.open();
    for (let second = 0; second < 25; second++) {
      tab.draft.change({ content: '字'.repeat(second + 1) });
      await world.pass(1_000);
    }
    expect(world.server.received).toEqual(['articleCreate', 'articleEdit']);
  });

  test('is not sent without title and text', async () => {
    const tab = await world.open();
    tab.draft.change({ tags: ['诗'], content: '  \n' });
    await world.pass(60_000);
    expect(world.server.received).toEqual([]);
    tab.crash();
    expect((await world.open()).draft.$fields.get()).toEqual({ ...NOTHING, tags: ['诗'], content: '  \n' });
  });

  test('keeps its white space at the ends, which the server trims', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '  空山\n\n' });
    await world.pass(2_000);
    const id = tab.draft.$id.get();
    tab.crash();
    const again = await world.open({ id });
    expect(again.draft.$fields.get().content).toBe('  空山\n\n');
    expect(again.draft.$state.get()).toBe('clean');
    await world.pass(60_000);
    expect(world.server.received.filter((name) => name !== 'articleSource')).toEqual(['articleCreate']);
  });

  test('during a save is saved after it', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '一' });
    world.server.weather = 'stuck';
    await world.pass(2_000);
    tab.draft.change({ content: '一二' });
    await world.pass(20_000);
    expect(stateOf(tab)[0]).toBe('saving');
    world.server.weather = 'fine';
    world.server.release();
    await world.pass(2_000);
    expect(stateOf(tab)[0]).toBe('saved');
    expect(world.server.only().content).toBe('一二');
  });

  test('is sent at once when the page is hidden or the editor closed', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '一' });
    tab.leave();
    await settle();
    expect(world.server.only().content).toBe('一');
    tab.draft.change({ content: '二' });
    await tab.close();
    expect(world.server.only().content).toBe('二');
  });

  test('that breaks a rule is kept, with the rule shown', async () => {
    const tab = await world.open();
    tab.draft.change({ title: '长'.repeat(121) });
    await world.pass(60_000);
    expect(stateOf(tab)).toEqual(['failed', '标题不能超过 120 个字符']);
    tab.crash();
    const again = await world.open();
    expect(again.draft.$fields.get().title).toBe('长'.repeat(121));
    again.draft.change({ title: '短' });
    await world.pass(2_000);
    expect(world.server.only().title).toBe('短');
  });
});

describe('at /write', () => {
  test('the unfinished text continues until it is saved as a draft, then the page is empty', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    await world.pass(2_000);
    tab.crash();
    const again = await world.open();
    expect(again.draft.$fields.get()).toEqual(WHOLE);
    expect(again.draft.$id.get()).toBe(world.server.only()._id);
    await again.draft.saveDraft();
    await again.close();
    expect((await world.open()).draft.$fields.get()).toEqual(NOTHING);
    expect(world.server.only()).toMatchObject({ ...WHOLE, status: 'draft' });
  });

  test('two tabs have separate texts, and both are offered again', async () => {
    const [one, two] = [await world.open(), await world.open()];
    one.draft.change({ content: '甲' });
    await world.pass(100);
    two.draft.change({ content: '乙' });
    expect(await listUnfinished(world.unfinished())).toEqual([]);
    one.crash();
    two.crash();
    const offered = await listUnfinished(world.unfinished());
    expect(offered.map(({ fields }) => fields.content)).toEqual(['乙', '甲']);
    const [first, second, third] = [await world.open(), await world.open(), await world.open()];
    expect(first.draft.$fields.get().content).toBe('乙');
    expect(second.draft.$fields.get().content).toBe('甲');
    expect(third.draft.$fields.get()).toEqual(NOTHING);
    await world.pass(3_000);
    expect([...world.server.articles.values()].map(({ content }) => content).sort()).toEqual(['乙', '甲']);
  });

  test('an empty page is possible, and the unfinished text can be opened by its key', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '甲' });
    tab.crash();
    const fresh = await world.open({ isFresh: true });
    expect(fresh.draft.$fields.get()).toEqual(NOTHING);
    const [offered] = await listUnfinished(world.unfinished());
    expect((await world.open({ key: offered?.key ?? '' })).draft.$fields.get().content).toBe('甲');
  });

  test('no one sees another user’s text in this browser', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '甲' });
    tab.crash();
    world.signedIn = '杜甫';
    expect((await world.open()).draft.$fields.get()).toEqual(NOTHING);
    expect(await listUnfinished(world.unfinished())).toEqual([]);
    world.signedIn = null;
    expect((await failure(world.open()))?.message).toBe('请先登录');
  });

  test('a text published elsewhere meanwhile is removed', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    await world.pass(2_000);
    tab.crash();
    world.server.editElsewhere(world.server.only()._id, {}, 'normal');
    expect((await world.open()).draft.$fields.get()).toEqual(NOTHING);
  });
});

describe('a published article', () => {
  test('stays unchanged for readers until it is published again', async () => {
    const id = await published(world);
    const tab = await world.open({ id });
    tab.draft.change({ content: '改了' });
    await world.pass(2_000);
    expect(stateOf(tab)[0]).toBe('saved');
    expect(world.server.only()).toMatchObject({ ...WHOLE, status: 'normal', revision: { content: '改了' } });
    tab.crash();
    world.storage.fast.clear();
    world.storage.slow.clear();
    const elsewhere = await world.open({ id });
    expect(elsewhere.draft.$fields.get().content).toBe('改了');
    await elsewhere.draft.saveDraft();
    expect(world.server.only()).toMatchObject({ content: WHOLE.content, status: 'normal' });
    expect(await elsewhere.draft.publish()).toBe(id);
    expect(world.server.only()).toMatchObject({ content: '改了', status: 'normal' });
    expect(world.server.only().revision).toBeUndefined();
  });

  test('on a server without revisions is stored in this browser', async () => {
    const id = await published(world);
    world.server.weather = 'old';
    const tab = await world.open({ id });
    tab.draft.change({ content: '改了' });
    await world.pass(60_000);
    expect(stateOf(tab)).toEqual(['local', '内容已存本机，发布后才会保存到服务器']);
    tab.crash();
    const again = await world.open({ id });
    expect(again.draft.$fields.get().content).toBe('改了');
    await again.draft.publish();
    expect(world.server.only().content).toBe('改了');
  });
});
