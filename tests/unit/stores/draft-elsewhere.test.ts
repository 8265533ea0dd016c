import { beforeEach, describe, expect, test } from 'vitest';
import { listUnfinished } from '../../../src/lib/stores/draft/draft-open.ts';
import { createWorld, failure, published, stateOf, WHOLE, type Tab, type World } from './draft-world.ts';
import { DAY_MS } from '../../../src/lib/contract/rules/units.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('changed elsewhere', () => {
  let id: string;
  let tab: Tab;
  beforeEach(async () => {
    id = await published(world);
    tab = await world.open({ id });
    world.server.editElsewhere(id, { content: '别处' });
    tab.draft.change({ content: '此处' });
    await world.pass(2_000);
  });
  const both = () => {
    const { mine, theirs } = tab.draft.$conflict.get() ?? {};
    return [mine?.fields.content, theirs?.fields.content];
  };

  test('shows both, does not autosave, and keeps further typing', async () => {
    expect(stateOf(tab)[0]).toBe('conflict');
    expect(both()).toEqual(['此处', '别处']);
    tab.draft.change({ content: '此处续' });
    tab.wake();
    await world.pass(60_000);
    expect(both()).toEqual(['此处续', '别处']);
    expect(world.server.only()).toMatchObject({ content: '别处' });
    expect(world.server.only().revision).toBeUndefined();
    tab.crash();
    tab = await world.open({ id });
    expect(stateOf(tab)[0]).toBe('conflict');
    expect(both()).toEqual(['此处续', '别处']);
  });

  test('publishing waits for the choice', async () => {
    expect(await failure(tab.draft.publish())).toMatchObject({ name: 'Conflict' });
    expect(world.server.only().content).toBe('别处');
  });

  test.each([
    ['mine', '此处'],
    [{ ...WHOLE, content: '合在一起' }, '合在一起'],
  ] as const)('%j stays, as the author said', async (choice, content) => {
    await tab.draft.resolve(choice === 'mine' ? choice : { ...choice, tags: [...choice.tags] });
    expect(tab.draft.$fields.get().content).toBe(content);
    expect(stateOf(tab)[0]).toBe('saved');
    expect(world.server.only()).toMatchObject({ content: '别处', revision: { content } });
    await tab.draft.publish();
    expect(world.server.only().content).toBe(content);
  });

  test('choosing theirs discards mine only then', async () => {
    await tab.draft.resolve('theirs');
    expect(tab.draft.$fields.get().content).toBe('别处');
    expect([stateOf(tab)[0], tab.draft.$conflict.get()]).toEqual(['saved', null]);
    await world.pass(60_000);
    expect(world.server.only().revision).toBeUndefined();
    tab.crash();
    expect((await world.open({ id })).draft.$fields.get().content).toBe('别处');
  });

  test.each([
    ['mine', ['别处']],
    ['theirs', ['此处']],
    [{ ...WHOLE, content: '此处\n别处' }, []],
    [{ ...WHOLE, content: '第三种' }, ['别处', '此处']],
  ] as const)('text not taken into %j is among the unfinished texts', async (choice, left) => {
    await tab.draft.resolve(typeof choice === 'string' ? choice : { ...choice, tags: [...choice.tags] });
    await tab.close();
    const asides = async () =>
      (await listUnfinished(world.unfinished())).filter(({ isAside }) => isAside).toReversed();
    const found = (await asides()).map(({ id, fields }) => [id, fields.content]);
    expect(found).toHaveLength(left.length);
    for (const content of left) expect(found).toContainEqual([null, content]);
    // None of it is restored automatically.
    expect((await world.open()).draft.$fields.get().content).toBe('');
    const [aside] = await asides();
    if (aside) {
      const opened = await world.open({ id: null, key: aside.key });
      expect(opened.draft.$fields.get().content).toBe(aside.fields.content);
      await opened.close();
    }
    await world.pass(31 * DAY_MS);
    expect(await asides()).toEqual([]);
  });

  test('another change while choosing asks again', async () => {
    world.server.editElsewhere(id, { content: '别处又' });
    await tab.draft.resolve('mine');
    expect(both()).toEqual(['此处', '别处又']);
    expect(world.server.only().content).toBe('别处又');
  });
});

test('a version saved in another window of this browser is recognised, another device is named', async () => {
  const id = await published(world);
  const [tab, other] = [await world.open({ id }), await world.open({ id })];
  other.draft.change({ content: '那个窗口' });
  await world.pass(2_000);
  tab.draft.change({ content: '这个窗口' });
  await world.pass(2_000);
  expect(tab.draft.$conflict.get()?.theirs).toMatchObject({ isOfThisBrowser: true, savedBy: '' });
  await tab.draft.resolve('mine');
  world.server.editElsewhere(id, { content: '别处', saved_by: 'iPhone 上的 Safari' } as object);
  tab.draft.change({ content: '又' });
  await world.pass(2_000);
  const { theirs } = tab.draft.$conflict.get() ?? {};
  expect(theirs).toMatchObject({ isOfThisBrowser: false, savedBy: 'iPhone 上的 Safari' });
});

test('a legacy client’s publication over an unpublished revision shows both', async () => {
  const id = await published(world);
  world.server.reviseElsewhere(id, { content: '未发布' });
  world.server.editElsewhere(id, { content: '旧客户端' });
  const tab = await world.open({ id });
  expect(tab.draft.$conflict.get()).toMatchObject({
    mine: { fields: { content: '未发布' } },
    theirs: { fields: { content: '旧客户端' } },
  });
  await tab.draft.resolve('theirs');
  expect(stateOf(tab)[0]).toBe('saved');
  await tab.close();
  const again = await world.open({ id });
  expect([again.draft.$fields.get().content, again.draft.$conflict.get()]).toEqual(['旧客户端', null]);
});

test('three versions ask twice, one after the other', async () => {
  const id = await published(world);
  const tab = await world.open({ id });
  world.server.reviseElsewhere(id, { content: '未发布' });
  world.server.editElsewhere(id, { content: '旧客户端' });
  tab.draft.change({ content: '此处' });
  await world.pass(2_000);
  const theirs = () => tab.draft.$conflict.get()?.theirs.fields.content;
  expect(theirs()).toBe('旧客户端');
  await tab.draft.resolve('mine');
  expect(theirs()).toBe('未发布');
  expect(world.server.only().revision?.content).toBe('未发布');
  await tab.draft.resolve('mine');
  expect(world.server.only()).toMatchObject({ content: '旧客户端', revision: { content: '此处' } });
});

test('an article deleted elsewhere with unsaved text continues as a new draft', async () => {
  const id = await published(world);
  const tab = await world.open({ id });
  await world.server.call('王维', 'articleDelete', { id });
  tab.draft.change({ content: '此处' });
  await world.pass(2_000);
  expect(stateOf(tab)).toEqual(['saved', '这篇文章已在别处删除，内容会存为新的草稿']);
  expect(world.server.only()).toMatchObject({ content: '此处', status: 'draft' });
  expect(world.server.only()._id).not.toBe(id);
  expect(await failure(world.open({ id }))).toMatchObject({ kind: 'refused' });
});
