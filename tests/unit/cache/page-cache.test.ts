import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { encode, toCachedPage } from '../../../src/lib/server/cache/cached-page.ts';
import { createPageCache, type Rendering } from '../../../src/lib/server/cache/page-cache.ts';
import { MIB } from '../../../src/lib/contract/rules/units.ts';

const page = (text: string, ...tags: string[]) => toCachedPage(Buffer.from(text), [], tags);
const cached = (text: string, ...tags: string[]): Rendering<string> => ({ cached: page(text, ...tags) });
const textOf = (result: Rendering<string>) => result.cached?.bodies.identity?.bytes.toString();

/**
 * A cache, and the text of a source page. A render reads the text when it starts and ends when the test says
 * so.
 */
function openStage(maxBytes = MIB) {
  const cache = createPageCache<string>({ maxBytes });
  const waiting: (() => void)[] = [];
  const stage = {
    cache,
    source: 'first',
    renders: 0,
    /** Requests /a; its render waits for `finish`. */
    ask: () =>
      cache.load('/a', async () => {
        const text = stage.source;
        stage.renders++;
        await new Promise<void>((resolve) => waiting.push(resolve));
        return cached(text, 'article');
      }),
    async finish() {
      while (waiting.length === 0) await delay(1);
      waiting.shift()?.();
    },
    write(text: string, tag = 'article') {
      stage.source = text;
      cache.invalidate([tag]);
    },
  };
  return stage;
}

describe('a page requested concurrently', () => {
  test('is rendered once, and then cached', async () => {
    const stage = openStage();
    const asked = Array.from({ length: 1000 }, () => stage.ask());
    await stage.finish();
    const texts = new Set((await Promise.all(asked)).map(textOf));
    expect([...texts]).toEqual(['first']);
    expect(stage.renders).toBe(1);
    expect(stage.cache.get('/a')?.bodies.identity?.bytes.toString()).toBe('first');
  });

  test('that cannot be rendered fails for all of them, and is retried by the next', async () => {
    const { cache } = openStage();
    const fault = () => {
      throw new Error('no storage');
    };
    const asked = [cache.load('/a', fault), cache.load('/a', fault)];
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(textOf(await cache.load('/a', () => Promise.resolve(cached('back', 'article'))))).toBe('back');
  });
});

describe('a render outdated by a write', () => {
  test('is sent to requests from before the write, and not cached', async () => {
    const stage = openStage();
    const before = stage.ask();
    await delay(1);
    stage.write('second');
    await stage.finish();
    expect(textOf(await before)).toBe('first');
    expect(stage.cache.get('/a')).toBeUndefined();
    expect(stage.cache.numbers()).toMatchObject({ overtaken: 1, entries: 0 });
  });

  test('is not sent to requests after the write', async () => {
    const stage = openStage();
    const before = stage.ask();
    await delay(1);
    stage.write('second');
    const after = [stage.ask(), stage.ask()];
    await stage.finish();
    await stage.finish();
    expect(textOf(await before)).toBe('first');
    expect((await Promise.all(after)).map(textOf)).toEqual(['second', 'second']);
    expect(stage.renders).toBe(2);
    expect(stage.cache.get('/a')?.bodies.identity?.bytes.toString()).toBe('second');
  });

  test('is not cached after more writes than are remembered, nor sent to requests after them', async () => {
    const stage = openStage();
    const before = stage.ask();
    await delay(1);
    stage.write('second');
    const after = stage.ask();
    for (let write = 0; write < 2_000; write++) stage.write('second', `another article ${write}`);
    await stage.finish();
    await stage.finish();
    expect((await Promise.all([before, after])).map(textOf)).toEqual(['first', 'second']);
    expect(stage.renders).toBe(2);
    expect(stage.cache.get('/a')?.bodies.identity?.bytes.toString()).toBe('second');
  });

  test('is cached when the write affected another page', async () => {
    const stage = openStage();
    const before = stage.ask();
    await delay(1);
    stage.write('second', 'another article');
    const after = stage.ask();
    await stage.finish();
    expect((await Promise.all([before, after])).map(textOf)).toEqual(['first', 'first']);
    expect(stage.renders).toBe(1);
    expect(stage.cache.get('/a')).toBeDefined();
  });

  test('that is private is rendered again for requests after the write', async () => {
    const { cache } = openStage();
    const answers = ['old', 'new'];
    const render = async (): Promise<Rendering<string>> => {
      const answer = answers.shift() ?? 'too many';
      await delay(5);
      return { cached: null, answer };
    };
    const before = cache.load('/x', render);
    cache.invalidate(['whatever']);
    const after = cache.load('/x', render);
    expect(await Promise.all([before, after])).toEqual([
      { cached: null, answer: 'old' },
      { cached: null, answer: 'new' },
    ]);
  });
});

describe('an invalidation', () => {
  test('evicts every page with one of its tags, and no other', async () => {
    const { cache } = openStage();
    const put = (key: string, ...tags: string[]) =>
      cache.load(key, () => Promise.resolve(cached(key, ...tags)));
    await put('/home', 'lists', 'card:1', 'card:2');
    await put('/detail/1', 'article:1');
    await put('/detail/2', 'article:2');
    cache.invalidate(['article:1', 'card:2']);
    expect(['/home', '/detail/1', '/detail/2'].map((key) => cache.has(key))).toEqual([false, false, true]);
    cache.invalidate([]);
    expect(cache.has('/detail/2')).toBe(true);
  });

  test('finds pages that were requested again or cached again', async () => {
    const { cache } = openStage();
    for (const text of ['one', 'two']) {
      await cache.load('/a', () => Promise.resolve(cached(text, 'article')));
      for (let times = 0; times < 3; times++)
        expect(cache.get('/a')?.bodies.identity?.bytes.toString()).toBe(text);
      cache.invalidate(['article']);
      expect(cache.get('/a')).toBeUndefined();
    }
  });

  test('by another process empties the cache', async () => {
    let version = 1;
    let time = 0;
    const cache = createPageCache<string>({ maxBytes: MIB, foreignVersion: () => version, now: () => time });
    await cache.load('/a', () => Promise.resolve(cached('a', 'article')));
    expect(cache.get('/a')).toBeDefined();
    version = 2;
    time += 1000;
    expect(cache.get('/a')).toBeUndefined();
  });
});

describe('the cache size', () => {
  const fill = (cache: ReturnType<typeof openStage>['cache'], key: string, bytes = 20_000) =>
    cache.load(key, () => Promise.resolve(cached('x'.repeat(bytes), `tag ${key}`)));

  test('is bounded in bytes, whatever is requested', async () => {
    const { cache } = openStage();
    for (let index = 0; index < 5000; index++) {
      await fill(cache, `/home/${index}`, 1000);
      cache.get(`/home/${index}`);
      if (index % 500 === 0) expect(cache.numbers().bytes).toBeLessThanOrEqual(MIB);
    }
    const { bytes, entries, evictions } = cache.numbers();
    expect(bytes).toBeLessThanOrEqual(MIB);
    expect(entries).toBeGreaterThan(100);
    expect(evictions).toBe(5000 - entries);
  });

  test('is not taken from read pages by pages requested once', async () => {
    const { cache } = openStage();
    await fill(cache, '/detail/1');
    cache.get('/detail/1');
    for (let index = 0; index < 1000; index++) await fill(cache, `/home/crawled ${index}`);
    expect(cache.has('/detail/1')).toBe(true);
  });

  test('excludes a page that is too large, which is rendered each time', async () => {
    const { cache } = openStage();
    const large = await fill(cache, '/large', 200_000);
    expect(large.cached?.bodies.identity?.bytes).toHaveLength(200_000);
    expect(cache.has('/large')).toBe(false);
    expect(cache.numbers().bytes).toBe(0);
  });

  test('counts every encoding of a page', async () => {
    const { cache } = openStage();
    await fill(cache, '/a');
    const found = cache.get('/a');
    if (!found) throw new Error('not kept');
    const before = cache.numbers().bytes;
    const whole = found.bodies.identity?.bytes.length ?? 0;
    const made = [await encode(found, 'br'), await encode(found, 'gzip')];
    cache.resize('/a', found);
    const added = made.reduce((sum, body) => sum + body.bytes.length, 0);
    expect(cache.numbers().bytes).toBe(before - whole + added);
    expect(cache.get('/a')).toBe(found);
    cache.invalidate(['tag /a']);
    expect(cache.numbers()).toMatchObject({ bytes: 0, entries: 0 });
  });
});

test('a lasting page is compressed further', async () => {
  let time = 0;
  const cache = createPageCache<string>({ maxBytes: MIB, now: () => time });
  // Text that a higher compression level makes smaller.
  const text = Array.from({ length: 3000 }, (_, index) => `${index * index} 字 `).join('');
  await cache.load('/a', () => Promise.resolve({ cached: { ...page(text, 'article'), renderedAt: 0 } }));
  const first = cache.get('/a');
  if (!first) throw new Error('not kept');
  const quick = await encode(first, 'br');
  time = 60_000;
  cache.get('/a');
  await expect.poll(() => first.bodies.br?.bytes.length).toBeLessThan(quick.bytes.length);
  expect(first.bodies.br?.etag).not.toBe(quick.etag);
});

describe('while notifications from other processes may be lost', () => {
  /** A cache that receives writes only while `isCurrent` is set, and pages that show `text`. */
  function openDeaf() {
    const state = { isCurrent: true, isReachable: true, catchesUp: false, text: 'first' };
    const cache = createPageCache<string>({
      maxBytes: MIB,
      isCurrent: () => state.isCurrent,
      catchUp: async () => state.catchesUp,
      isReachable: () => state.isReachable,
    });
    const load = () => cache.load('/a', async () => cached(state.text, 'article'));
    const held = () => cache.get('/a')?.bodies.identity?.bytes.toString();
    return { state, cache, load, held };
  }

  test('every response is rendered again, and the last one is cached', async () => {
    const { state, load, held } = openDeaf();
    await load();
    // A second request moves the page to the other shelf of the cache.
    expect(held()).toBe('first');
    Object.assign(state, { isCurrent: false, text: 'second' });
    expect(held()).toBeUndefined();
    expect(textOf(await load())).toBe('second');
    state.isCurrent = true;
    expect(held()).toBe('second');
  });

  test('no one gets a page from before their request', async () => {
    const { state, cache } = openDeaf();
    state.isCurrent = false;
    let finish = () => {};
    const slow = cache.load('/a', async () => {
      const { text } = state;
      await new Promise<void>((resolve) => (finish = resolve));
      return cached(text, 'article');
    });
    await delay(1);
    state.text = 'second';
    const later = [1, 2].map(() => cache.load('/a', async () => cached(state.text, 'article')));
    await delay(1);
    finish();
    expect(textOf(await slow)).toBe('first');
    expect((await Promise.all(later)).map(textOf)).toEqual(['second', 'second']);
    expect(cache.numbers().renders).toBe(2);
  });

  test('a cached page is sent once it is known to be current', async () => {
    const { state, load, cache } = openDeaf();
    await load();
    Object.assign(state, { isCurrent: false, catchesUp: true });
    await load();
    expect(cache.numbers()).toMatchObject({ renders: 1, hits: 1 });
  });

  test('a cached page is sent while storage is unreachable', async () => {
    const { state, load, held } = openDeaf();
    await load();
    Object.assign(state, { isCurrent: false, isReachable: false });
    expect(held()).toBe('first');
  });

  test('a cached page is sent when it cannot be rendered, unless gone or invalidated', async () => {
    const { state, cache, load } = openDeaf();
    const answer = (isFault: boolean) =>
      cache.load('/a', async () => ({ cached: null, answer: 'none', isFault }));
    await load();
    state.isCurrent = false;
    await answer(true);
    expect(cache.getStale('/a')).toBeDefined();
    await answer(false);
    expect(cache.getStale('/a')).toBeUndefined();
    await load();
    cache.invalidate(['article']);
    expect(cache.getStale('/a')).toBeUndefined();
  });
});
