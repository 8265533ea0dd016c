import { beforeEach, describe, expect, test } from 'vitest';
import {
  createCachedPages,
  type CachedPage,
  type CachedPages,
  type CachedPagesOptions,
} from '../../../src/lib/edge/cached-pages.ts';
import type { RenderedPage } from '../../../src/lib/blog/backend.ts';

let clock = 0;
let renders = 0;
beforeEach(() => {
  clock = 1_000_000;
  renders = 0;
});
const open = (options: Partial<CachedPagesOptions> = {}) =>
  createCachedPages({ freshMs: 60_000, now: () => clock, ...options });

type Render = () => RenderedPage | Promise<RenderedPage>;
/** A page that contains its render count. */
const tagged = (...tags: string[]): RenderedPage => ({
  response: new Response(`版本 ${++renders}`, {
    headers: { 'Content-Type': 'text/html', 'X-Request-Id': String(renders) },
  }),
  tags,
});
const untagged = (body: string | null, init?: ResponseInit): RenderedPage => ({
  response: new Response(body, init),
  tags: null,
});
const page = () => tagged('site', 'lists');
const withHeader = (name: string, value: string): RenderedPage => {
  const { response, tags } = page();
  response.headers.set(name, value);
  return { response, tags };
};
const fault = () => untagged('读不到', { status: 503, headers: { 'Retry-After': '5' } });

async function get(
  pages: CachedPages,
  path = '/home',
  {
    isVisitor = true,
    render = page,
    method = 'GET',
  }: { isVisitor?: boolean; render?: Render; method?: string } = {},
): Promise<Response> {
  const request = new Request(`https://blog.example${path}`, { method });
  return pages.answer(request, isVisitor, async () => render());
}
const text = async (response: Promise<Response>) => (await response).text();

describe('an edge server without a cache in front', () => {
  test('shows visitors a copy for a minute, then renders again', async () => {
    const pages = open();
    expect(await text(get(pages))).toBe('版本 1');
    clock += 59_000;
    expect(await text(get(pages))).toBe('版本 1');
    clock += 1_000;
    expect(await text(get(pages))).toBe('版本 2');
  });

  test('a page has one copy, whatever other parameters its URL has', async () => {
    const pages = open();
    await get(pages, '/home?page=1&utm_source=x');
    expect(await text(get(pages, '/home'))).toBe('版本 1');
    expect(await text(get(pages, '/home?page=2'))).toBe('版本 2');
  });

  test('signed-in users get every page rendered, and their pages are not copied', async () => {
    const pages = open();
    await get(pages);
    expect(await text(get(pages, '/home', { isVisitor: false }))).toBe('版本 2');
    expect(await text(get(pages))).toBe('版本 1');
  });

  test('bypassing the cache bypasses this one, and the response is not cacheable', async () => {
    const pages = open();
    const path = `/detail/${'a'.repeat(24)}/true`;
    expect((await get(pages, path)).headers.get('Cache-Tag')).toBeNull();
    expect(await text(get(pages, path))).toBe('版本 2');
  });

  test('1,000 concurrent visitors cause one rendering', async () => {
    const pages = open();
    const render = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return page();
    };
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => text(get(pages, '/home', { render }))),
    );
    expect(new Set(answers)).toEqual(new Set(['版本 1']));
  });

  test.each([
    ['a page without tags', () => untagged(`版本 ${++renders}`)],
    ['a redirect', () => ({ ...untagged(`版本 ${++renders}`, { status: 302 }), tags: ['site'] })],
    ['a private page', () => withHeader('Cache-Control', 'private, no-store')],
    ['a page that sets a cookie', () => withHeader('Set-Cookie', 'a=b')],
  ])('%s is not kept', async (_, render) => {
    const pages = open();
    await get(pages, '/home', { render });
    expect(await text(get(pages, '/home', { render }))).toBe('版本 2');
  });

  test('changed pages are evicted, all others stay', async () => {
    const pages = open();
    await get(pages, '/home');
    await get(pages, '/tag/list', { render: () => tagged('site', 'tags') });
    await pages.purge(['lists', 'unheard-of']);
    expect(await text(get(pages, '/home'))).toBe('版本 3');
    expect(await text(get(pages, '/tag/list'))).toBe('版本 2');
    await pages.purge(['site']);
    expect(await text(get(pages, '/tag/list', { render: () => tagged('site', 'tags') }))).toBe('版本 4');
  });

  test('a rendering outdated by a change is not cached', async () => {
    const pages = open();
    const overtaken = async () => {
      const old = page();
      await pages.purge(['lists']);
      return old;
    };
    expect(await text(get(pages, '/home', { render: overtaken }))).toBe('版本 1');
    expect(await text(get(pages))).toBe('版本 2');
  });

  test('visitors after a change do not get a rendering from before it', async () => {
    const pages = open();
    let finish = () => {};
    const slow = async () => {
      const old = page();
      await new Promise<void>((resolve) => (finish = resolve));
      return old;
    };
    const before = text(get(pages, '/home', { render: slow }));
    await pages.purge(['lists']);
    const after = text(get(pages));
    finish();
    expect([await before, await after]).toEqual(['版本 1', '版本 2']);
    expect(await text(get(pages))).toBe('版本 2');
  });

  test('old pages make room for new ones', async () => {
    const pages = open({ maxBytes: 10_000 });
    for (let number = 1; number <= 20; number++) await get(pages, `/home?page=${number}`);
    expect(await text(get(pages, '/home?page=20'))).toBe('版本 20');
    expect(await text(get(pages, '/home?page=2'))).toBe('版本 21');
  });

  test('no request id is repeated, and HEAD has no body', async () => {
    const pages = open();
    await get(pages);
    const head = await get(pages, '/home', { method: 'HEAD' });
    expect(head.headers.get('X-Request-Id')).toBeNull();
    expect(head.body).toBeNull();
  });
});

describe('while the API does not answer', () => {
  test('pages shown before are shown to everyone for an hour; others are unavailable', async () => {
    const pages = open({ freshMs: 0 });
    await get(pages);
    clock += 3_500_000;
    expect(await text(get(pages, '/home', { render: fault }))).toBe('版本 1');
    expect(await text(get(pages, '/home', { render: fault, isVisitor: false }))).toBe('版本 1');
    const other = await get(pages, '/tag/list', { render: fault });
    expect([other.status, other.headers.get('Retry-After')]).toEqual([503, '5']);
    clock += 200_000;
    expect((await get(pages, '/home', { render: fault })).status).toBe(503);
  });

  test('no one waits for an API that just failed, if there is a copy', async () => {
    let isAway = false;
    const pages = open({ freshMs: 0, isApiAway: () => isAway });
    await get(pages);
    isAway = true;
    expect(await text(get(pages))).toBe('版本 1');
    expect(await text(get(pages, '/tag/list'))).toBe('版本 2');
    isAway = false;
    expect(await text(get(pages))).toBe('版本 3');
  });

  test('a copy comes from the platform’s cache when this process has none', async () => {
    const stored = new Map<string, CachedPage>();
    const platformCache = {
      get: async (key: string) => stored.get(key) ?? null,
      put: (key: string, cached: CachedPage) => void stored.set(key, cached),
      delete: (key: string) => void stored.delete(key),
    };
    await get(open({ freshMs: 0, platformCache }));
    const another = open({ freshMs: 0, platformCache });
    expect(await text(get(another, '/home', { render: fault }))).toBe('版本 1');
    // The article is now hidden; the render that finds this out removes the platform’s copy.
    await get(another, '/home', { render: () => untagged(null, { status: 302 }) });
    expect((await get(another, '/home', { render: fault })).status).toBe(503);
  });

  test.each([400, 403, 429, 500, 502])('a %i response says nothing about the page', async (status) => {
    const pages = open({ freshMs: 0 });
    await get(pages);
    expect((await get(pages, '/home', { render: () => untagged(null, { status }) })).status).toBe(status);
    expect(await text(get(pages, '/home', { render: fault }))).toBe('版本 1');
  });

  test.each([404, 410])('a %i response removes the copy', async (status) => {
    const pages = open({ freshMs: 0 });
    await get(pages);
    await get(pages, '/home', { render: () => untagged(null, { status }) });
    expect((await get(pages, '/home', { render: fault })).status).toBe(503);
  });

  test('purged pages are not shown any more', async () => {
    const pages = open({ freshMs: 0 });
    await get(pages);
    await pages.purge(['lists']);
    expect((await get(pages, '/home', { render: fault })).status).toBe(503);
  });
});

describe('a cache in front', () => {
  const told: string[][] = [];
  const front = {
    headersFor: (tags: string[]) =>
      new Headers({ 'Front-Cache-Tag': tags.join(','), 'Front-Control': 'max-age=60' }),
    header: 'Front-Control',
    purge: async (tags: string[]) => void told.push(tags),
  };
  test('gets the tags of visitors’ pages, and caches nothing else', async () => {
    const pages = open({ freshMs: 0, front });
    const headersOf = async (path: string, isVisitor = true, render: Render = page) => {
      const { headers } = await get(pages, path, { isVisitor, render });
      return [headers.get('Front-Cache-Tag'), headers.get('Front-Control'), headers.get('CDN-Cache-Control')];
    };
    expect(await headersOf('/home')).toEqual(['site,lists', 'max-age=60', null]);
    expect(await headersOf('/home', false)).toEqual([null, 'no-store', null]);
    expect(await headersOf('/write')).toEqual([null, 'no-store', null]);
    expect(await headersOf('/home', true, fault)).toEqual([null, null, null]);
  });

  test('is asked every time, and purged on changes', async () => {
    const pages = open({ freshMs: 0, front });
    await get(pages);
    expect(await text(get(pages))).toBe('版本 2');
    await pages.purge(['lists', 'tags']);
    expect(told.at(-1)).toEqual(['lists', 'tags']);
  });
});

describe('a former address', () => {
  const moved = () => ({
    response: new Response(null, { status: 301, headers: { Location: '/detail/1' } }),
    tags: ['site', 'article:1'],
  });
  const front = {
    header: 'CDN-Cache-Control',
    headersFor: (tags: string[]) =>
      new Headers({ 'CDN-Cache-Control': 'max-age=60', 'CDN-Tag': tags.join() }),
    purge: async () => {},
  };

  test('is cached only by the platform, with the tags of its article', async () => {
    const { headers, status } = await get(open({ freshMs: 0, front }), '/2020/a', { render: moved });
    expect(status).toBe(301);
    expect(Object.fromEntries(headers)).toEqual({
      location: '/detail/1',
      'cdn-cache-control': 'max-age=60',
      'cdn-tag': 'site,article:1',
    });
  });

  test('is not cached for signed-in users, nor without a platform cache', async () => {
    const own = await get(open({ freshMs: 0, front }), '/2020/a', { render: moved, isVisitor: false });
    expect(own.headers.get('CDN-Cache-Control')).toBe('no-store');
    let asked = 0;
    const counted = () => (asked++, moved());
    const pages = open();
    for (let time = 0; time < 2; time++) {
      const { headers } = await get(pages, '/2020/a', { render: counted });
      expect(headers.get('Cache-Tag')).toBeNull();
    }
    expect(asked).toBe(2);
  });
});
