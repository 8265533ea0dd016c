import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import { eventually } from '../eventually.ts';
import { article, idOf, openFakeApi, type FakeApi } from '../unit/edge/fake-api.ts';
import { freePort } from '../free-port.ts';
import { knowsMissingCalls, MISSING_CALLS, openFront, type Front, type FrontKind } from './front.ts';

const AT = '2024-01-02T03:04:05.000Z';
const titled = { _id: idOf(3), title: '第 3 篇', create_user: '林间', create_time: AT };
const series = {
  _id: idOf(40),
  title: '山居',
  description: '',
  cover: '',
  create_user: '林间',
  create_time: AT,
  update_time: AT,
  page_num: 1,
};
/** Data of calls that a server may lack. */
const EXTRAS = {
  [calls.archive.path]: { result: [titled], total: 1, months: [{ year: 2024, month: 1, page_num: 1 }] },
  [calls.seriesDetail.path]: { ...series, articles: [article(3, { update_time: AT, type: '' })] },
  [calls.sitemap.path]: { parts: [{ kind: 'articles', part: 0 }] },
  [calls.sitemapPart.path]: { entries: [{ name: idOf(3) }] },
};
/** Pages that need these calls. */
const NEEDY = ['/archive', '/archive/2024', `/series/${idOf(40)}`, '/sitemap.xml', '/sitemap/articles-0.xml'];

/** Far longer than the five seconds within which a response is due; a slower request hangs. */
const HANGS_MS = 20_000;

describe.each<FrontKind>(['cloudflare', 'node'])('an edge front (%s)', (kind) => {
  let api: FakeApi;
  let front: Front;
  beforeAll(async () => {
    api = await openFakeApi();
    api.articles = Array.from({ length: 12 }, (_, index) => article(index + 1));
    const settings = { API_ORIGIN: api.origin, SITE_URL: 'https://blog.example' };
    front = await openFront(kind, await freePort(), settings);
    await knowsMissingCalls(front);
  });
  afterAll(async () => {
    await front?.close();
    await api?.[Symbol.asyncDispose]();
  });

  const get = (path: string, init: RequestInit = {}) =>
    fetch(front.url + path, { redirect: 'manual', signal: AbortSignal.timeout(HANGS_MS), ...init });

  test('shows the pages of a server with the bare contract, without missing features', async () => {
    const home = await (await get('/home')).text();
    expect(home).toContain('第 1 篇');
    expect(home).toContain('共 12 篇文章');
    expect(home).toContain(`data-missing-calls="${MISSING_CALLS}"`);
    const page = await (await get(`/detail/${idOf(3)}`)).text();
    expect(page).toContain('正文 <strong>3</strong>。');
    expect(page).not.toContain('相邻文章');
    for (const path of ['/tag/list', '/tag/detail/随笔', '/user/info/林间', '/home/第'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  test('redirects former addresses of feeds', async () => {
    for (const [path, feed] of [
      ['/feed/', '/feed.xml'],
      ['/index.xml', '/feed.xml'],
      ['/feed/atom/', '/atom.xml'],
      ['/?feed=rss2', '/feed.xml'],
    ] as const) {
      const { status, headers } = await get(path);
      expect([path, status, new URL(headers.get('Location') ?? '', front.url).pathname]).toEqual([
        path,
        301,
        feed,
      ]);
    }
  });

  test('lets the browser connect to the API’s socket and to nothing else', async () => {
    const { headers } = await get('/home');
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain(`connect-src 'self' ${api.origin.replace('http', 'ws')}`);
    expect(policy).not.toMatch(/unsafe|\*/);
    for (const [name, value] of [
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Frame-Options', 'DENY'],
      ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ] as const)
      expect(headers.get(name)).toBe(value);
  });

  test.each<[string, FakeApi['answer']]>([
    [
      'is refused',
      (_request, response) => void response.writeHead(403).end('{"code":"ERROR","data":"不行"}'),
    ],
    ['is limited', (_request, response) => void response.writeHead(429).end('{"code":"ERROR","data":"慢"}')],
    ['breaks off', (request) => void request.socket.destroy()],
  ])('a page is unavailable, or as it was, while one of its calls %s', async (_how, answer) => {
    const failing = async (name: 'archive' | 'seriesDetail' | 'sitemap' | 'sitemapPart', path: string) => {
      api.failing = answer && { path: calls[name].path, answer };
      const page = await get(path);
      return [page.status, page.headers.get('Retry-After')];
    };
    api.extras = EXTRAS;
    for (const path of NEEDY) expect([path, (await get(path)).status]).toEqual([path, 200]);
    try {
      expect(await failing('archive', '/archive')).toEqual([200, null]);
      expect(await failing('archive', '/archive/2023')).toEqual([503, '5']);
      expect(await failing('seriesDetail', `/series/${idOf(40)}`)).toEqual([200, null]);
      expect(await failing('seriesDetail', `/series/${idOf(41)}`)).toEqual([503, '5']);
      expect(await failing('sitemap', '/sitemap.xml')).toEqual([200, null]);
      expect(await failing('sitemapPart', '/sitemap/articles-0.xml')).toEqual([200, null]);
      expect(await failing('sitemapPart', '/sitemap/tags-0.xml')).toEqual([503, '5']);
    } finally {
      Object.assign(api, { extras: {}, failing: undefined });
    }
  });

  const failures: [string, FakeApi['answer'] | 'stop'][] = [
    ['is not there', 'stop'],
    ['says nothing', () => undefined],
    ['breaks off', (request) => void request.socket.destroy()],
    [
      'answers with a page',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>nginx</h1>'),
    ],
    [
      'answers with what is no list',
      (_request, response) =>
        void response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end('{"code":"OK","data":{"result":1}}'),
    ],
    [
      'stops in the middle',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"code":"OK"'),
    ],
  ];
  describe.each(failures)('while the API %s', (how, answer) => {
    beforeEach(async () => {
      api.extras = EXTRAS;
      for (const path of ['/home', `/detail/${idOf(3)}`, ...NEEDY]) await get(path);
      if (answer === 'stop') await api.stop();
      else api.answer = answer;
    });
    afterEach(async () => {
      Object.assign(api, { answer: undefined, extras: {} });
      if (answer === 'stop') await api.start();
    });

    test('shows pages shown before, sends Retry-After for others, and recovers automatically', async () => {
      for (const path of ['/home', `/detail/${idOf(3)}`, '/home?utm_source=x']) {
        const kept = await get(path);
        expect([path, kept.status]).toEqual([path, 200]);
        expect(await kept.text()).toContain('第 3 篇');
      }
      for (const path of NEEDY) {
        const kept = await get(path);
        expect([path, kept.status]).toEqual([path, 200]);
        expect(await kept.text()).toMatch(/第 3 篇|2024|articles-0|0{23}3/);
      }
      for (const path of ['/archive/2023', '/sitemap/tags-0.xml', '/2020/a']) {
        const { status, headers } = await get(path);
        expect([path, status, headers.get('Retry-After')]).toEqual([path, 503, '5']);
      }
      const other = await get(`/detail/${idOf(5)}/true`);
      expect([other.status, other.headers.get('Retry-After')]).toEqual([503, '5']);
      expect(other.headers.get('Cache-Control')).toBe('no-store');
      expect(await other.text()).toContain('服务暂时不可用');
      // Pages that need no data from the API.
      for (const path of ['/lab/cup', '/signin', '/changelog']) expect((await get(path)).status).toBe(200);

      api.answer = undefined;
      if (answer === 'stop') await api.start();
      await eventually(async () => expect((await get(`/detail/${idOf(5)}/true`)).status).toBe(200));
      if (answer === 'stop') await api.stop();
    });

    test('refuses calls with the contract’s errors, unless the API has started to respond', async () => {
      const response = await get('/api/tag/alltags', { method: 'POST' });
      if (how === 'answers with what is no list') {
        // This is still a response, so it is passed through unchanged.
        expect([response.status, await response.json()]).toEqual([200, { code: 'OK', data: { result: 1 } }]);
      } else if (how === 'stops in the middle') {
        // The response is cut off, so no client takes it for complete.
        const text = await response.text().catch(() => '');
        expect(() => void JSON.parse(text)).toThrow(SyntaxError);
      } else {
        expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
        expect(await response.json()).toEqual({
          code: 'ERROR',
          data: '服务暂时不可用，请稍后再试',
          error: 'UNAVAILABLE',
        });
      }
    });
  });
});
