import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listUnfinished } from '../../../src/lib/stores/draft/draft-open.ts';
import { createWorld, NOTHING, published, settle, stateOf, type World } from './draft-world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('this browser’s storage', () => {
  test('when full uses the other store silently', async () => {
    world.storage.isFastFull = true;
    const tab = await world.open();
    tab.draft.change({ content: '甲' });
    await settle();
    expect(stateOf(tab)).toEqual(['dirty', null]);
    tab.crash();
    expect((await world.open()).draft.$fields.get().content).toBe('甲');
  });

  test('when unusable warns that nothing is stored, until the server has it', async () => {
    world.storage.isFastFull = true;
    world.storage.isSlowBroken = true;
    world.server.weather = 'down';
    const tab = await world.open();
    tab.draft.change({ content: '甲' });
    await world.pass(60_000);
    expect(stateOf(tab)).toEqual(['failed', '本机存储不可用，内容还没有保存，请先复制一份再离开']);
    world.server.weather = 'fine';
    await world.pass(60_000);
    expect(stateOf(tab)).toEqual(['saved', null]);
  });

  test('is cleared of text that the server has', async () => {
    const id = await published(world);
    const tab = await world.open({ id });
    tab.draft.change({ content: '甲' });
    expect(world.storage.fast.size).toBe(1);
    await world.pass(2_000);
    expect(world.storage.fast.size).toBe(0);
  });

  test('with an older copy after the browser was killed uses the newer one', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '旧' });
    const written = new Map(world.storage.fast);
    tab.draft.change({ content: '旧新' });
    await settle();
    tab.crash();
    world.killBrowser(written);
    const again = await world.open();
    expect(again.draft.$fields.get().content).toBe('旧新');
    await again.draft.saveDraft();
    again.crash();
    world.killBrowser(written);
    expect((await world.open()).draft.$fields.get()).toEqual(NOTHING);
  });

  test.each([
    ['late', 'a text of its own'],
    ['late', 'an article'],
    ['only at the second time', 'a text of its own'],
    ['only at the second time', 'an article'],
  ])(
    'answers %s, with the newer copy of %s: it is offered beside what was written on the older one',
    async (when, what) => {
      const id = what === 'an article' ? await published(world) : null;
      const tab = await world.open({ id });
      tab.draft.change({ content: '旧' });
      const written = new Map(world.storage.fast);
      tab.draft.change({ content: '旧新' });
      tab.draft.change({ content: '旧新，更新' });
      await settle();
      tab.crash();
      world.killBrowser(written);
      const reading = Promise.withResolvers<void>();
      if (when === 'late') world.storage.slowReading = reading.promise;
      else world.storage.isSlowBroken = true;
      const late = await openLate({ id });
      world.storage.isSlowBroken = false;
      expect(late.draft.$fields.get().content).toBe('旧');
      late.draft.change({ content: '旧，接着写' });
      await settle();
      reading.resolve();
      await world.pass(1);
      late.draft.change({ content: '旧，接着写完' });
      await settle();
      late.crash();
      world.storage.slowReading = Promise.resolve();
      const kept = (await listUnfinished(world.unfinished())).map(({ fields }) => fields.content);
      expect(kept.toSorted()).toEqual(['旧新，更新', '旧，接着写完'].toSorted());
    },
  );

  /** Opens while the slow store does not respond. */
  async function openLate(target: { id: string | null }) {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const opening = world.open(target);
      await vi.advanceTimersByTimeAsync(60_000);
      return await opening;
    } finally {
      vi.useRealTimers();
    }
  }

  test('with invalid content is ignored', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '甲' });
    tab.crash();
    const [[name = '', text = '']] = [[...world.storage.fast][0] ?? []];
    const strange = ['', 'null', '[]', '{}', text.replace('"tags":[]', '"tags":[1]'), text.slice(0, -1)];
    for (const [index, value] of strange.entries()) world.storage.fast.set(`${name}${index}`, value);
    expect((await listUnfinished(world.unfinished())).map(({ fields }) => fields.content)).toEqual(['甲']);
  });
});
