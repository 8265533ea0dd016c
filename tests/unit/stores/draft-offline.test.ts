import { beforeEach, describe, expect, test } from 'vitest';
import { createWorld, failure, published, settle, stateOf, WHOLE, type World } from './draft-world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('without the network', () => {
  test('the text is stored locally, and sent when the network is back', async () => {
    const tab = await world.open();
    world.server.weather = 'down';
    tab.draft.change({ content: '甲' });
    await world.pass(120_000);
    expect(stateOf(tab)).toEqual(['local', '网络不通，内容已存本机']);
    tab.draft.change({ content: '甲乙' });
    world.server.weather = 'fine';
    tab.wake();
    await settle();
    expect(stateOf(tab)).toEqual(['saved', null]);
    expect(world.server.only().content).toBe('甲乙');
  });

  test('it retries automatically with growing pauses', async () => {
    const tab = await world.open();
    world.server.weather = 'down';
    tab.draft.change({ content: '甲' });
    await world.pass(600_000);
    world.server.weather = 'fine';
    await world.pass(30_000);
    expect(world.server.only().content).toBe('甲');
  });

  test('a lost response creates no second draft and no conflict', async () => {
    const tab = await world.open();
    world.server.weather = 'lost';
    tab.draft.change({ content: '甲' });
    await world.pass(3_000);
    tab.draft.change({ content: '甲乙' });
    await world.pass(60_000);
    world.server.weather = 'fine';
    await world.pass(60_000);
    expect(stateOf(tab)).toEqual(['saved', null]);
    expect(world.server.only().content).toBe('甲乙');
  });

  test('restoring the saved text after a lost response is a change too', async () => {
    const tab = await world.open();
    tab.draft.change({ content: '甲' });
    await world.pass(2_000);
    world.server.weather = 'lost';
    tab.draft.change({ content: '甲乙' });
    await world.pass(2_000);
    world.server.weather = 'fine';
    tab.draft.change({ content: '甲' });
    await world.pass(10_000);
    expect(world.server.only().content).toBe('甲');
  });

  test('a lost response and a killed tab: the same', async () => {
    const id = await published(world);
    const tab = await world.open({ id });
    world.server.weather = 'lost';
    tab.draft.change({ content: '甲' });
    await world.pass(2_000);
    tab.crash();
    world.server.weather = 'fine';
    const again = await world.open({ id });
    expect(again.draft.$conflict.get()).toBeNull();
    again.draft.change({ content: '甲乙' });
    await world.pass(2_000);
    expect(world.server.only().revision?.content).toBe('甲乙');
  });

  test('text typed on an article is available although the server does not respond', async () => {
    const id = await published(world);
    const tab = await world.open({ id });
    tab.draft.change({ content: '甲' });
    tab.crash();
    world.server.weather = 'down';
    const again = await world.open({ id });
    expect(again.draft.$fields.get().content).toBe('甲');
    expect(again.draft.$state.get()).toBe('local');
    world.server.weather = 'fine';
    await world.pass(10_000);
    expect(world.server.only().revision?.content).toBe('甲');
  });
});

describe('when the sign-in ends', () => {
  test('the author stays, is notified, and continues after signing in again', async () => {
    const tab = await world.open();
    world.server.weather = 'signed-out';
    tab.draft.change({ content: '甲' });
    await world.pass(2_000);
    expect(stateOf(tab)).toEqual(['local', '登录已过期，内容已存本机']);
    expect(tab.draft.$needsSignIn.get()).toBe(true);
    tab.draft.change({ content: '甲乙' });
    world.server.weather = 'fine';
    tab.wake();
    await settle();
    expect(world.server.only().content).toBe('甲乙');
    expect(tab.draft.$needsSignIn.get()).toBe(false);
  });

  test('and another user signs in, nothing is saved in their name', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    world.signedIn = '杜甫';
    await world.pass(60_000);
    expect(await failure(tab.draft.publish())).toMatchObject({ kind: 'signed-out' });
    expect(world.told).toEqual(['登录已过期，内容已存本机']);
    tab.crash();
    expect(world.server.articles.size).toBe(0);
    world.signedIn = '王维';
    expect((await world.open()).draft.$fields.get()).toEqual(WHOLE);
  });
});
