import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LOOK, SHIPPED_LOOKS, type Look } from '../../src/lib/contract/rules/looks.ts';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let operator: Person;
beforeAll(async () => {
  server = await openServer();
  operator = await server.join('老王');
  await server.app.services.roles.set('老王', 'operator', null);
});
afterAll(() => server.close());

const LOOK: Look = {
  ...structuredClone(DEFAULT_LOOK),
  name: '圆',
  shape: { radius: 9, rhythm: 1 },
  list: 'cards',
  head: 'cover',
};
const call = (path: string, fields: Record<string, string> = {}) =>
  server.post(`/api/staff/${path}`, fields, operator.token);
const save = (look: unknown) => call('looks/save', { look: JSON.stringify(look) });

describe('the operator', () => {
  test('saves looks, uses one, and deletes it without changing the site', async () => {
    expect(done(await call('looks'))).toEqual({ shipped: SHIPPED_LOOKS, saved: [] });
    expect(done(await save(LOOK)).saved).toEqual([LOOK]);
    const { look, version } = done(await call('site/change', { look: JSON.stringify(LOOK) }));
    expect(look).toEqual(LOOK);
    const { text } = await server.send('/home');
    expect(text).toMatch(/<html[^>]* data-list="cards" data-head="cover"/);
    const [, address = ''] = /<link rel="stylesheet" href="(\/look\.css\?v=[\w-]{10})"/.exec(text) ?? [];
    expect((await server.send(address)).text).toMatch(/^html:root\{--radius:9px\}/);
    expect(done(await call('looks/delete', { name: '圆' })).saved).toEqual([]);
    expect((await server.send('/home')).text).toContain(address);
    expect(done(await call('site')).version).toBe(version);
  });

  test('is told when another has changed the site meanwhile', async () => {
    const { version } = done(await call('site')) as { version: string };
    done(await call('site/change', { title: '别人的' }));
    expect(await call('site/change', { look: JSON.stringify(DEFAULT_LOOK), version })).toMatchObject({
      error: 'VERSION_CHANGED',
    });
    expect(done(await call('site')).look).toEqual(LOOK);
  });

  test('gets the field and the reason of a refused look', async () => {
    const look = structuredClone(LOOK);
    look.colours.dark.soft = '#555555';
    expect(await save(look)).toMatchObject({
      error: 'FIELD_INVALID',
      data: expect.stringContaining('深色的次要文字在页面底色上看不清') as string,
    });
    expect(await save({ ...look, list: 'spiral' })).toMatchObject({
      error: 'FIELD_INVALID',
      data: expect.stringContaining('文章列表应为') as string,
    });
    expect(await call('looks/save', { look: '{' })).toMatchObject({ error: 'FIELD_INVALID' });
    expect(await save({ ...LOOK, name: '画册' })).toMatchObject({ error: 'FIELD_INVALID' });
  });
});
