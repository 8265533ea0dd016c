import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRefusal } from '../../../src/lib/contract/rules/errors.ts';
import { eventually } from '../../eventually.ts';
import { createEdgeBackend } from '../../../src/lib/edge/edge.ts';
import { PURGE_SIGNATURE, PURGE_TIME, signPurge } from '../../../src/lib/shared/purge-signature.ts';
import { SITE_DEFAULTS } from '../../../src/lib/shared/site-settings.ts';
import { makeToken } from '../client/fake-site.ts';
import { openFakeApi, type FakeApi } from './fake-api.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await openFakeApi();
});
afterEach(() => api[Symbol.asyncDispose]());

const SECRET = 's'.repeat(32);
const open = (settings: Record<string, string> = {}, purge = async (_tags: string[]) => {}) => {
  const all: Record<string, string> = { API_ORIGIN: api.origin, PURGE_SECRET: SECRET, ...settings };
  const front = { headersFor: () => new Headers(), header: 'Front-Control', purge };
  return createEdgeBackend((name) => all[name], { freshMs: 0, front });
};

describe('settings', () => {
  test('unset ones are as in Node; the socket is the API’s, links are relative', () => {
    expect(open().site).toEqual({
      ...SITE_DEFAULTS,
      pictureHosts: [],
      origin: '',
      liveOrigin: api.origin,
    });
    const settings = {
      SITE_TITLE: '纸上',
      PICTURE_HOSTS: 'Byteimg.com, qpic.cn',
      SITE_URL: 'https://blog.example/',
      LIVE_ORIGIN: 'https://live.example',
    };
    expect(open(settings).site).toMatchObject({
      title: '纸上',
      pictureHosts: ['byteimg.com', 'qpic.cn'],
      origin: 'https://blog.example',
      liveOrigin: 'https://live.example',
    });
  });

  test.each([
    [{ API_ORIGIN: '' }, 'API_ORIGIN is not set'],
    [{ API_ORIGIN: 'api.example.com' }, 'API_ORIGIN must be an origin'],
    [{ API_ORIGIN: 'https://api.example.com/v1' }, 'API_ORIGIN must be an origin'],
    [{ LIVE_ORIGIN: 'ws://live.example' }, 'LIVE_ORIGIN must be an origin'],
    [{ SITE_URL: 'https://me:pw@blog.example' }, 'SITE_URL must be an origin'],
    [{ SITE_TIME_ZONE: 'Asia/Nowhere' }, 'SITE_TIME_ZONE must be an IANA name'],
    [{ PICTURE_HOSTS: 'https://qpic.cn' }, 'PICTURE_HOSTS must be names'],
    [{ PURGE_SECRET: 'short' }, 'PURGE_SECRET must be at least 32 characters'],
  ])('%j is refused, by name', (settings, message) => {
    expect(() => open(settings as Record<string, string>)).toThrow(message);
  });
});

describe('the identity of a reader', () => {
  test('comes from an access token while it is valid', async () => {
    const backend = open();
    expect(await backend.viewerOf(makeToken('林间'))).toMatchObject({ username: '林间' });
    expect(await backend.viewerOf(makeToken(undefined))).toMatchObject({ username: '' });
    for (const token of [makeToken('林间', -1), 'undefined', '', undefined, 'a.b.c'])
      expect(await backend.viewerOf(token)).toBeNull();
  });

  test('an expired token is not sent to the API', async () => {
    const backend = open();
    const token = makeToken('林间', -1);
    const from = { token, address: '203.0.113.7' };
    await backend.blogFor(await backend.viewerOf(token), from).listTags(1);
    expect(api.received.at(-1)?.headers).not.toHaveProperty('authorization');
  });
});

test('the platform’s cache may keep pictures as long as browsers, and no other response', async () => {
  const caching = 'public, max-age=31536000, immutable';
  api.answer = (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'image/webp', 'Cache-Control': caching }).end('x');
  const ask = (path: string) =>
    open().api(new Request(`https://blog.example${path}`), { address: '', requestId: '' });
  expect((await ask('/api/file/x.webp')).headers.get('Front-Control')).toBe(caching);
  api.answer = undefined;
  expect((await ask('/api/tag/alltags')).headers.get('Front-Control')).toBeNull();
});

test('a silent API is not called for five seconds when there is a copy; one that refuses is', async () => {
  const backend = open();
  const from = { token: undefined, address: '' };
  await backend.viewerOf(undefined);
  const show = async () => {
    const render = async () => {
      const shown = await backend
        .blogFor(null, from)
        .listTags(1)
        .catch(() => null);
      return shown
        ? { response: new Response('标签'), tags: ['tags'] }
        : { response: new Response(null, { status: 503 }), tags: null };
    };
    return (await backend.pages?.answer(new Request('https://blog.example/tag/list'), true, render))?.status;
  };
  const askedFor = async () => {
    const before = api.received.length;
    expect(await show()).toBe(200);
    return api.received.length - before;
  };
  expect(await askedFor()).toBe(1);
  api.answer = (_request, response) => void response.writeHead(429).end();
  expect([await askedFor(), await askedFor()]).toEqual([1, 1]);
  api.answer = (request) => request.socket.destroy();
  expect([await askedFor(), await askedFor()]).toEqual([1, 0]);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_001);
  expect(await askedFor()).toBe(1);
  vi.restoreAllMocks();
});

test('a silent API is asked by one page in five seconds, also for pages without a copy', async () => {
  const backend = open();
  let now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const show = () =>
    backend
      .blogFor(null, { token: undefined, address: '' })
      .readProfile('林间', 1)
      .then(
        () => 'shown',
        (error: unknown) => (isRefusal(error, 'UNAVAILABLE') ? 'unavailable' : error),
      );
  const calls = () => api.received.length;
  api.answer = (request) => request.socket.destroy();
  expect(await show()).toBe('unavailable');
  const asked = calls();
  expect(await Promise.all([show(), show(), show()])).toEqual(Array(3).fill('unavailable'));
  expect(calls()).toBe(asked);
  now += 5_001;
  expect(await Promise.all([show(), show(), show()])).toEqual(Array(3).fill('unavailable'));
  // A page makes its first two calls at the same time.
  expect(calls() - asked).toBeLessThanOrEqual(2);
  api.answer = undefined;
  expect(await show()).toBe('unavailable');
  now += 5_001;
  expect(await Promise.all([show(), show()])).toEqual(['shown', 'unavailable']);
  expect(await Promise.all([show(), show()])).toEqual(['shown', 'shown']);
});

test('an API that stops in the middle of its responses is silent too', async () => {
  const backend = open();
  const show = () => backend.blogFor(null, { token: undefined, address: '' }).listTags(1);
  api.answer = (_request, response) =>
    void response.writeHead(200).write('{"code":"OK"', () => response.destroy());
  for (let time = 0; time < 3; time++) await expect(show()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(api.received).toHaveLength(1);
});

describe('features that the API lacks', () => {
  const OPTIONAL =
    'articleDelete commentEdit commentDelete fetchImage trashRestore scheduleSet versionList pictureList articleSettings archive activityList suggest safety accessTokenList ownWebhookList exportBegin reportCreate updateGender usernameChange profileChange thanksChange articleReview notificationList notificationRead accountKeep accountCloseDecide friendApply visitorReport';
  // Style sheets select a name, in any order of the names.
  const named = (calls = '') => calls.split(' ').toSorted();

  test('are detected once and stated on pages', async () => {
    const backend = open();
    await backend.viewerOf(undefined);
    expect(named(backend.site.missingCalls)).toEqual(named(OPTIONAL));
    const asked = api.received.length;
    await backend.viewerOf(undefined);
    expect(api.received).toHaveLength(asked);
  });

  test('are not inferred from a request to sign in, or an unreachable API', async () => {
    api.answer = (_request, response) => void response.writeHead(402).end();
    const backend = open();
    await backend.viewerOf(undefined);
    expect(backend.site.missingCalls).toBe('');
    await api.stop();
    const another = open();
    await another.viewerOf(undefined);
    expect(another.site.missingCalls).toBeUndefined();
    api.answer = undefined;
    await api.start();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 20_000);
    await another.viewerOf(undefined);
    vi.restoreAllMocks();
    expect(named(another.site.missingCalls)).toEqual(named(OPTIONAL));
  });
});

test.each([403, 429, 503])(
  'a %i response to every call is no answer about features or settings',
  async (status) => {
    api.answer = (_request, response) => void response.writeHead(status).end('{}');
    const backend = open();
    await backend.viewerOf(undefined);
    const request = new Request('https://blog.example/tag/list');
    const render = async () => ({ response: new Response('标签'), tags: ['tags'] });
    const page = await backend.pages?.answer(request, true, render);
    expect([backend.site.missingCalls ?? '', page?.headers.get('Front-Control')]).toEqual(['', 'no-store']);
  },
);

describe('site settings from the API', () => {
  const facts = {
    ...SITE_DEFAULTS,
    title: '纸上',
    footer: '一九九九',
    links: [{ text: '关于', href: '/a' }],
    seal: '纸',
  };
  const answerSite = (body: unknown) => {
    api.answer = (request, response) =>
      void (request.url === '/api/site'
        ? response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
        : response.writeHead(404).end());
  };

  test('apply, except those set at the edge', async () => {
    answerSite({ code: 'OK', data: facts });
    const backend = open({ SITE_TITLE: '山居' });
    await backend.viewerOf(undefined);
    expect(backend.site).toMatchObject({ title: '山居', footer: '一九九九', links: facts.links, seal: '纸' });
  });

  test('name the look; of a server without looks, or with choices of a later one, the default', async () => {
    const look = {
      href: '/look.css?v=1',
      paragraphs: 'indented',
      list: 'cards',
      head: 'left',
      front: 'middle',
    };
    answerSite({ code: 'OK', data: { ...facts, look, style: '/style.css?v=1' } });
    const backend = open();
    await backend.viewerOf(undefined);
    expect(backend.site).toMatchObject({ title: '纸上', look, style: '/style.css?v=1' });
    const { look: _, style: __, ...former } = facts;
    for (const data of [former, { ...facts, look: { ...look, list: 'spiral' } }]) {
      answerSite({ code: 'OK', data });
      const other = open();
      await other.viewerOf(undefined);
      expect(other.site).toMatchObject({ title: '纸上', look: SITE_DEFAULTS.look, style: '' });
    }
  });

  test('of a server that has no seal yet leave the default', async () => {
    const { seal: _, ...former } = facts;
    answerSite({ code: 'OK', data: former });
    const backend = open();
    await backend.viewerOf(undefined);
    expect(backend.site).toMatchObject({ title: '纸上', seal: '' });
  });

  test.each([
    ['no facts', { code: 'OK', data: { title: 3 } }],
    [
      'a link that runs script',
      { code: 'OK', data: { ...facts, links: [{ text: '关', href: 'javascript:1' }] } },
    ],
    ['a seal that is no character', { code: 'OK', data: { ...facts, seal: '纸'.repeat(9) } }],
    ['no envelope', '<!doctype html>'],
  ])('is not believed where it is %s', async (_name, body) => {
    answerSite(body);
    const backend = open();
    await backend.viewerOf(undefined);
    expect(backend.site).toMatchObject({ title: SITE_DEFAULTS.title, links: [] });
  });

  test('no page rendered before they arrive is cached', async () => {
    const backend = open();
    const request = new Request('https://blog.example/tag/list');
    const render = async () => ({ response: new Response('标签'), tags: ['tags'] });
    const caching = async () =>
      (await backend.pages?.answer(request, true, render))?.headers.get('Front-Control');
    expect(await caching()).toBe('no-store');
    await backend.viewerOf(undefined);
    expect(await caching()).not.toBe('no-store');
  });
});

describe('purging', () => {
  const body = JSON.stringify({ tags: ['lists', 'article:1', 7] });
  const send = async (headers: Record<string, string>, { text = body, backend = open() } = {}) => {
    const request = new Request('https://blog.example/purge', { method: 'POST', body: text, headers });
    return backend.purge?.(request);
  };

  test('a signed request is executed, in the platform’s cache too', async () => {
    const told: string[][] = [];
    const backend = open({}, async (tags) => void told.push(tags));
    const response = await send(await signPurge(SECRET, body, Date.now()), { backend });
    expect(response?.status).toBe(204);
    expect(told).toEqual([['lists', 'article:1']]);
  });

  test('a platform error fails the call, so that it is retried', async () => {
    const backend = open({}, () => Promise.reject(new Error('rate limit')));
    const response = await send(await signPurge(SECRET, body, Date.now()), { backend });
    expect(response?.status).toBe(502);
  });

  test.each<[string, () => Promise<[Record<string, string>, string?]>]>([
    ['without a signature', async () => [{}]],
    ['with another secret', async () => [await signPurge('x'.repeat(32), body, Date.now())]],
    ['six minutes old', async () => [await signPurge(SECRET, body, Date.now() - 360_000)]],
    ['from the future', async () => [await signPurge(SECRET, body, Date.now() + 360_000)]],
    ['with another body', async () => [await signPurge(SECRET, body, Date.now()), '{"tags":["site"]}']],
    [
      'with a later time written over it',
      async () => [
        { ...(await signPurge(SECRET, body, Date.now() - 360_000)), [PURGE_TIME]: String(Date.now()) },
      ],
    ],
    [
      'with half a signature',
      async () => {
        const signed = await signPurge(SECRET, body, Date.now());
        return [{ ...signed, [PURGE_SIGNATURE]: signed[PURGE_SIGNATURE]?.slice(0, 32) ?? '' }];
      },
    ],
  ])('what comes %s is not believed', async (_, make) => {
    const told: string[][] = [];
    const backend = open({}, async (tags) => void told.push(tags));
    const [headers, text = body] = await make();
    expect((await send(headers, { text, backend }))?.status).toBe(403);
    expect(told).toEqual([]);
  });

  test('a request that is too large is not read to its end', async () => {
    const text = ' '.repeat(100_000);
    expect((await send(await signPurge(SECRET, text, Date.now()), { text }))?.status).toBe(413);
  });

  test('without a secret the call does not exist', async () => {
    const backend = open({ PURGE_SECRET: '' });
    expect((await send(await signPurge(SECRET, body, Date.now()), { backend }))?.status).toBe(404);
  });
});

test('the site’s files outlive the API, and are never another file’s or an old one', async () => {
  const backend = open();
  const ask = async (path: string, method = 'GET') => {
    const request = new Request(`https://blog.example${path}`, { method });
    const answer = await backend.api(request, { address: '', requestId: '' });
    return { status: answer.status, type: answer.headers.get('Content-Type'), text: await answer.text() };
  };
  const serve = (text: string) => {
    api.answer = (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(text);
  };
  await api.stop();
  expect((await ask('/accent.css?v=1')).status).toBe(503);
  await api.start();
  for (const text of ['html{--indigo:red}', 'html{--indigo:blue}']) {
    serve(text);
    expect((await ask('/accent.css?v=1')).text).toBe(text);
  }
  await api.stop();
  expect(await ask('/accent.css?v=1')).toEqual({
    status: 200,
    type: 'text/css; charset=utf-8',
    text: 'html{--indigo:blue}',
  });
  for (const path of ['/favicon.ico', '/api/file/x.webp', '/og/site.png'])
    expect([path, (await ask(path)).status]).toEqual([path, 503]);
  expect((await ask('/accent.css', 'POST')).status).toBe(503);
  await api.start();
  // The operator has removed the accent.
  api.answer = (_request, response) =>
    void response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
  expect((await ask('/accent.css?v=1')).status).toBe(404);
});

describe('a site file that the API answers wrongly', () => {
  const GOOD = 'html{--indigo:red}';
  const css = { 'Content-Type': 'text/css' };
  const endless: FakeApi['answer'] = (_request, response) => {
    response.writeHead(200, css);
    const more = () => void (response.destroyed || response.write(' '.repeat(1 << 16), more));
    more();
  };
  const wrong: [string, NonNullable<FakeApi['answer']>][] = [
    ['is endless', endless],
    [
      'is larger than any icon',
      (_request, response) =>
        void response
          .writeHead(200, { ...css, 'Content-Length': String(2 ** 30) })
          .write(Buffer.alloc(1 << 21)),
    ],
    [
      'is a page',
      (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    ],
    [
      'breaks off',
      (_request, response) => void response.writeHead(200, css).write('h', () => response.destroy()),
    ],
    ...[400, 403, 429, 500].map((status): [string, NonNullable<FakeApi['answer']>] => [
      `has status ${status}`,
      (_request, response) => void response.writeHead(status, css).end('no'),
    ]),
  ];

  test.each(wrong)('is the last copy, or unavailable, if it %s', async (_how, answer) => {
    const backend = open();
    const ask = () =>
      backend.api(new Request('https://blog.example/accent.css'), { address: '', requestId: '' });
    let isOpen = false;
    api.answer = (request, response, seen) => {
      isOpen = true;
      response.once('close', () => (isOpen = false));
      answer(request, response, seen);
    };
    expect((await ask()).status).toBe(503);
    await eventually(() => expect(isOpen).toBe(false));
    const wrongAnswer = api.answer;
    api.answer = (_request, response) => void response.writeHead(200, css).end(GOOD);
    expect(await (await ask()).text()).toBe(GOOD);
    api.answer = wrongAnswer;
    for (let time = 0; time < 2; time++) {
      const copy = await ask();
      expect([copy.status, await copy.text()]).toEqual([200, GOOD]);
    }
    await eventually(() => expect(isOpen).toBe(false));
  });
});
