import { beforeEach, describe, expect, test } from 'vitest';
import { DraftRefused } from '../../../src/lib/stores/draft/draft-types.ts';
import { createWorld, failure, NOTHING, settle, stateOf, WHOLE, type World } from './draft-world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('publishing', () => {
  test('refuses what is incomplete, by field, and sends nothing', async () => {
    const tab = await world.open();
    tab.draft.change({ title: ' ', content: '空山' });
    const refusal = await failure(tab.draft.publish());
    expect(refusal).toBeInstanceOf(DraftRefused);
    expect((refusal as DraftRefused).fields).toEqual({ title: '请填写标题', tags: '请至少填写 1 个标签' });
    expect(world.server.received).toEqual([]);
    await world.pass(2_000);
    expect(world.server.only().status).toBe('draft');
  });

  test('creates one article despite repeated clicks', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    const ids = await Promise.all([tab.draft.publish(), tab.draft.publish(), tab.draft.saveDraft()]);
    expect(world.server.only()).toMatchObject({ ...WHOLE, status: 'normal', _id: ids[0] });
    await tab.close();
    expect((await world.open()).draft.$fields.get()).toEqual(NOTHING);
    expect(world.storage.fast.size).toBe(0);
  });

  test('waits for a save in progress', async () => {
    const tab = await world.open();
    tab.draft.change({ ...WHOLE, content: '甲' });
    world.server.weather = 'stuck';
    await world.pass(2_000);
    tab.draft.change({ content: '甲乙' });
    const publishing = tab.draft.publish();
    await settle();
    world.server.weather = 'fine';
    world.server.release();
    const id = await publishing;
    expect(world.server.only()).toMatchObject({ _id: id, content: '甲乙', status: 'normal' });
  });

  test.each(['down', 'lost'] as const)('can be retried when the network is %s', async (weather) => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    world.server.weather = weather;
    for (let press = 0; press < 3; press++)
      expect(await failure(tab.draft.publish())).toMatchObject({ kind: 'unreachable' });
    expect(stateOf(tab)).toEqual(['local', '网络不通，内容已存本机']);
    world.server.weather = 'fine';
    const id = await tab.draft.publish();
    expect(world.server.only()).toMatchObject({ ...WHOLE, _id: id, status: 'normal' });
  });

  test('refused by a full queue is reported, and the text is a draft meanwhile', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    world.server.weather = 'crowded';
    expect(await failure(tab.draft.publish())).toMatchObject({ kind: 'refused', status: 503 });
    expect(world.told).toEqual(['等待排版的文章太多，请稍后再试']);
    expect(stateOf(tab)).toEqual(['local', '服务器正忙，内容已存本机']);
    await world.pass(5_000);
    expect(stateOf(tab)).toEqual(['saved', null]);
    expect(world.server.only()).toMatchObject({ ...WHOLE, status: 'draft' });
    world.server.weather = 'fine';
    await tab.draft.publish();
    expect(world.server.only()).toMatchObject({ ...WHOLE, status: 'normal' });
  });

  test('with a lost response is not undone by the next autosave', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    await world.pass(2_000);
    world.server.weather = 'lost';
    await failure(tab.draft.publish());
    world.server.weather = 'fine';
    tab.draft.change({ content: '续' });
    await world.pass(60_000);
    expect(world.server.only()).toMatchObject({ ...WHOLE, status: 'normal', revision: { content: '续' } });
    expect(tab.draft.$status.get()).toBe('normal');
  });
});

describe('deleting', () => {
  test('removes the article and the local text', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    await world.pass(2_000);
    await tab.draft.remove();
    expect(() => world.server.only()).toThrow('found 0');
    await world.pass(60_000);
    await tab.close();
    expect((await world.open()).draft.$fields.get()).toEqual(NOTHING);
    expect(() => world.server.only()).toThrow('found 0');
  });

  test('also removes a draft created by a save with a lost response', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    world.server.weather = 'lost';
    await world.pass(2_000);
    world.server.weather = 'fine';
    await tab.draft.remove();
    expect(world.server.articles.size).toBe(1);
    expect(() => world.server.only()).toThrow('found 0');
  });

  test('that fails deletes nothing', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    await world.pass(2_000);
    world.server.weather = 'down';
    expect(await failure(tab.draft.remove())).toMatchObject({ kind: 'unreachable' });
    tab.crash();
    world.server.weather = 'fine';
    expect((await world.open()).draft.$fields.get()).toEqual(WHOLE);
  });
});
