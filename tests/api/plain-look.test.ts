import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHIPPED_LOOKS } from '../../src/lib/contract/rules/looks.ts';
import { cookie, openCacheStage, type CacheStage } from './cache-stage.ts';
import { done, type Person } from './server.ts';

/** `?look=` for staff, and the pages that link the operator's own style sheet. */
let stage: CacheStage;
let operator: Person;
beforeAll(async () => {
  stage = await openCacheStage();
  operator = await stage.server.join('掌柜');
  await stage.server.app.services.roles.set('掌柜', 'operator', null);
  const look = JSON.stringify(SHIPPED_LOOKS[1]);
  done(
    await stage.server.post('/api/staff/site/change', { look, style: '.card{color:red}' }, operator.token),
  );
});
afterAll(() => stage.server.close());

const show = async (path: string, who?: Person) => {
  const { status, headers, body } = await stage.ask(path, who && cookie(who));
  const html = body.toString();
  return {
    status,
    headers,
    hasLook: html.includes('/look.css?v='),
    hasStyle: html.includes('/style.css?v='),
  };
};

const USUAL = { status: 200, hasLook: true, hasStyle: true };
const PLAIN = { status: 200, hasLook: false, hasStyle: false };

describe('?look=plain', () => {
  test('shows staff a page without look and style sheet, which no cache keeps', async () => {
    for (const path of ['/home', stage.detail, '/tag/list', '/user/info/林间']) {
      stage.clear();
      expect(await show(encodeURI(path), operator)).toMatchObject(USUAL);
      for (const round of ['uncached', 'cached']) {
        const plain = await show(`${encodeURI(path)}?look=plain`, operator);
        expect([round, plain]).toMatchObject([round, PLAIN]);
        expect(plain.headers['cache-control']).toBe('private, no-store');
        await show(encodeURI(path));
      }
    }
  });

  test('shows visitors and readers the usual page, from the same entry of the cache', async () => {
    stage.clear();
    expect(await show('/home?look=plain')).toMatchObject(USUAL);
    const cached = stage.pageAt('/home');
    expect(cached).toBeDefined();
    expect(await show('/home?look=plain')).toMatchObject(USUAL);
    expect(await show('/home?look=plain', stage.reader)).toMatchObject(USUAL);
    expect(await show('/home')).toMatchObject(USUAL);
    expect(stage.pageAt('/home')).toBe(cached);
    expect(stage.isCached('/home?look=plain')).toBe(false);
  });

  test('what staff saw is never sent to anyone else', async () => {
    stage.clear();
    await show('/home?look=plain', operator);
    expect(stage.isCached('/home')).toBe(false);
    expect(await show('/home?look=plain')).toMatchObject(USUAL);
  });
});

test('?look=plain has the choices that it names, for the preview of the console', async () => {
  const attributesOf = async (query: string) => {
    const { body } = await stage.ask(`/home?look=plain${query}`, cookie(operator));
    return /<html[^>]*>/.exec(body.toString())?.[0].match(/data-(?:list|head|front|paragraphs)="[^"]*"/g);
  };
  expect(await attributesOf('')).toBeNull();
  expect(await attributesOf('&list=cards&head=cover')).toEqual(['data-list="cards"', 'data-head="cover"']);
  expect(await attributesOf('&list=%22%3E&head=toString&href=x&colours=x')).toBeNull();
});

test('pages to sign in, the console and an author’s own pages never link the style sheet', async () => {
  const paths = [
    '/signin',
    '/signup',
    '/forgot',
    '/reset',
    '/verify',
    '/closing',
    '/setup',
    '/404',
    '/report',
  ];
  for (const path of paths) expect([path, (await show(path)).hasStyle]).toEqual([path, false]);
  const own = ['/admin', '/admin/look', '/user/settings', '/user/list', '/write', '/comment/list'];
  for (const path of own)
    expect([path, await show(path, operator)]).toMatchObject([path, { status: 200, hasStyle: false }]);
});

test('a style sheet that leaves its bounds is refused, also if another field of the change is right', async () => {
  const change = (fields: Record<string, string>, { token }: Person) =>
    stage.server.post('/api/staff/site/change', fields, token);
  const refused = await change({ style: '.a{position:fixed}', title: '山居' }, operator);
  expect(refused).toMatchObject({ error: 'FIELD_INVALID', field: 'style' });
  expect(refused.data).toMatch(/^第 1 行第 1 列：/);
  expect(await change({ style: '.a'.repeat(20_000) }, operator)).toMatchObject({ field: 'style' });
  expect(await change({ style: '' }, stage.reader)).toMatchObject({ error: 'NOT_ALLOWED' });
  expect((await stage.server.app.services.site.read()).title).toBe('墨页');
});

test('the style sheet is served with the site’s files', async () => {
  const { status, headers, body } = await stage.ask('/style.css');
  expect([status, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  expect(body.toString()).toContain('{color:red}');
});
