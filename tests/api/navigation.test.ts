import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
/** Two articles about the same topic. */
let tea: string;
let green: string;
const TEA = {
  title: '龙井的炒制',
  content: '龙井茶的炒制要看火候：青锅、回潮、辉锅，茶叶在锅里压扁成形。',
  tags: ['茶', '手艺'],
};
const GREEN = {
  title: '绿茶怎样杀青',
  content: '绿茶的杀青靠炒锅或蒸汽，火候决定茶叶的香气，龙井就是炒青。',
  tags: ['茶'],
};

beforeAll(async () => {
  server = await openServer();
  server.app.services.related.start();
  author = await server.join('陆羽');
  tea = await server.write(author, TEA);
  green = await server.write(author, GREEN);
  await server.app.services.related.settled();
  await server.app.services.picks.pin(green);
});
afterAll(() => server?.close());

/** Today in the site's time zone. */
const [year, month] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })
  .format(new Date())
  .split('-')
  .map(Number) as [number, number];
const seen = async (path: string) => {
  const { status, text } = await server.get(encodeURI(path));
  return status === 200 ? text : `${status}`;
};

/** Pages that name the second article and contain nothing else of it. */
const PLACES: [string, () => string][] = [
  ['the front page', () => '/home'],
  ['the page of a related article', () => `/detail/${tea}`],
  ['the list of tags', () => '/tag/list'],
  ['the archive of a year', () => `/archive/${year}`],
  ['the archive of a month', () => `/archive/${year}/${month}`],
  ["its author's archive", () => '/archive/user/陆羽'],
];
const CALLS: [string, () => Record<string, string | number>][] = [
  ['/api/page/ways', () => ({ id: tea })],
  ['/api/page/worth', () => ({})],
  ['/api/page/archive', () => ({ year, month })],
  ['/api/page/archive', () => ({ username: '陆羽' })],
  ['/api/tag/taglist', () => ({})],
];
const told = async () =>
  Promise.all(CALLS.map(async ([path, fields]) => (await server.post(path, fields())).text.includes(green)));

describe('an article', () => {
  test.each(PLACES)('is named by %s', async (_, path) => {
    expect(await seen(path())).toContain(`href="/detail/${green}"`);
  });

  test('is named by every navigation call', async () => {
    expect(await told()).toEqual(CALLS.map(() => true));
  });

  test('is not named anywhere while withdrawn, and is again afterwards', async () => {
    const fields = { id: green, ...GREEN };
    done(await server.post('/api/page/edit', { ...fields, secret: 'true' }, author.token));
    for (const [place, path] of PLACES) expect(await seen(path()), place).not.toContain(green);
    expect(await told()).toEqual(CALLS.map(() => false));
    expect((await server.post('/api/page/ways', { id: green })).error).toBe('ARTICLE_NOT_FOUND');
    done(await server.post('/api/page/edit', { ...fields, secret: 'false' }, author.token));
    await server.app.services.related.settled();
    for (const [place, path] of PLACES) expect(await seen(path()), place).toContain(green);
    expect(await told()).toEqual(CALLS.map(() => true));
  });

  test('names its author at its end, with article count and bio', async () => {
    await server.app.services.users.updateBio(
      { id: (await server.app.services.users.detail('陆羽'))._id, username: '陆羽' },
      '嗜茶，著有三卷',
    );
    const { data } = await server.post('/api/page/ways', { id: tea });
    expect(data.author).toMatchObject({ username: '陆羽', bio: '嗜茶，著有三卷', page_num: 2 });
    expect(data).toMatchObject({ previous: null, next: { _id: green, title: GREEN.title } });
    expect(await seen(`/detail/${tea}`)).toContain('嗜茶，著有三卷');
  });
});

describe('a tag', () => {
  test('lists currently co-occurring tags', async () => {
    expect(await seen('/tag/detail/茶')).toContain('aria-label="一起出现的标签"');
    done(await server.post('/api/page/edit', { id: tea, ...TEA, tags: ['茶'] }, author.token));
    expect(await seen('/tag/detail/茶')).not.toContain('aria-label="一起出现的标签"');
  });
});

describe('an address of the archive', () => {
  test.each([
    '/archive/1999',
    '/archive/2026/13',
    '/archive/2026/02',
    '/archive/2026/0',
    '/archive/26',
    '/archive/2026/1/1',
    '/archive/user/无此人',
  ])('%s, that names nothing, leads to what is not there', async (path) => {
    const response = await fetch(server.url + encodeURI(path), { redirect: 'manual' });
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/404']);
  });
});
