import { beforeEach, describe, expect, test } from 'vitest';
import { digestOf } from '../../../src/lib/stores/draft/draft-fields.ts';
import { createWorld, failure, NOTHING, published, WHOLE, type World } from './draft-world.ts';

const TEXT = '一句话说明';

let world: World;
beforeEach(() => {
  world = createWorld();
});

/** Tests for every field other than title, content, tags and the secret switch. */
describe.each([
  ['description', '一句话说明', '另一句'],
  ['cover', '/api/file/a-1x1.png', '/api/file/b-1x1.png'],
] as const)('an author’s %s', (name, one, other) => {
  test('survives a killed tab, without other changes', async () => {
    const tab = await world.open();
    tab.draft.change({ [name]: one });
    tab.crash();
    expect((await world.open()).draft.$fields.get()).toEqual({ ...NOTHING, [name]: one });
  });

  test('is saved with the draft, and removed once cleared', async () => {
    const tab = await world.open();
    tab.draft.change({ ...WHOLE, [name]: one });
    await world.pass(2_000);
    expect(world.server.only()).toMatchObject({ ...WHOLE, [name]: one });
    tab.draft.change({ [name]: '' });
    await world.pass(2_000);
    expect(world.server.only()).toMatchObject({ ...WHOLE, [name]: '' });
    expect(tab.draft.$state.get()).toBe('saved');
  });

  test('of a published article is a revision, and continues in another browser', async () => {
    const id = await published(world);
    const tab = await world.open({ id });
    tab.draft.change({ [name]: one });
    await world.pass(2_000);
    expect(world.server.only().revision).toMatchObject({ ...WHOLE, [name]: one });
    await tab.close();
    expect((await world.open({ id })).draft.$fields.get()).toEqual({ ...WHOLE, [name]: one });
  });

  test.each(['mine', 'theirs'] as const)(
    'changed on another device asks, and %s can be chosen',
    async (choice) => {
      const id = await published(world);
      const tab = await world.open({ id });
      world.server.editElsewhere(id, { [name]: other });
      tab.draft.change({ [name]: one });
      await world.pass(2_000);
      const { mine, theirs } = tab.draft.$conflict.get() ?? {};
      expect([mine?.fields[name], theirs?.fields[name]]).toEqual([one, other]);
      await tab.draft.resolve(choice);
      await world.pass(2_000);
      const kept = choice === 'mine' ? one : other;
      expect(tab.draft.$fields.get()).toEqual({ ...WHOLE, [name]: kept });
      await tab.draft.publish();
      expect(world.server.only()).toMatchObject({ ...WHOLE, [name]: kept });
    },
  );
});

test('a text has the key of the previous release, so that its stored text is recognised', () => {
  // Measured with that release.
  expect(digestOf(WHOLE)).toBe('s-17iul2ue39j-iqv8bvu7vd');
  expect(digestOf({ ...WHOLE, description: ' ', cover: '' })).toBe('s-17iul2ue39j-iqv8bvu7vd');
  expect(digestOf({ ...WHOLE, description: TEXT })).not.toBe('s-17iul2ue39j-iqv8bvu7vd');
});

test('a description that is too long is refused with its field name, and kept', async () => {
  const tab = await world.open();
  tab.draft.change({ ...WHOLE, description: '长'.repeat(201) });
  expect(await failure(tab.draft.publish())).toMatchObject({
    fields: { description: '摘要不能超过 200 个字符' },
  });
  tab.crash();
  expect((await world.open()).draft.$fields.get().description).toHaveLength(201);
});
