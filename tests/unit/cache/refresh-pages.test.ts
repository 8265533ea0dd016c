import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { toCachedPage, encode } from '../../../src/lib/server/cache/cached-page.ts';
import { createPageCache, type Rendering } from '../../../src/lib/server/cache/page-cache.ts';
import { refreshPages } from '../../../src/lib/server/cache/refresh-pages.ts';
import { MIB, MINUTE_MS } from '../../../src/lib/contract/rules/units.ts';

const START = performance.now();

/** A cache whose pages show the text of the moment, and the keys rendered in advance. */
function openStage() {
  const stage = {
    minutes: 0,
    cache: createPageCache<string>({ maxBytes: MIB, now: (): number => START + stage.minutes * MINUTE_MS }),
    text: 'first',
    refreshed: [] as string[],
    /** Runs after a render in advance has read the text. */
    meanwhile: (): void => {},
    async render(): Promise<Rendering<string>> {
      const bytes = Buffer.from(stage.text);
      await delay(1);
      return { cached: toCachedPage(bytes, [], ['tag']) };
    },
    /** Requests a page `count` times. */
    async read(key: string, count: number) {
      for (let index = 0; index < count; index++)
        if (!stage.cache.get(key)) await stage.cache.load(key, stage.render);
    },
    textAt: (key: string) => stage.cache.getStale(key)?.bodies.identity?.bytes.toString(),
  };
  refreshPages(stage.cache, (key) =>
    key.startsWith('/')
      ? () => {
          stage.refreshed.push(key);
          const made = stage.render();
          stage.meanwhile();
          return made;
        }
      : null,
  );
  return stage;
}

test('an invalidated page is rendered again if it was requested within ten minutes', async () => {
  const stage = openStage();
  await stage.read('/old', 2);
  stage.minutes = 9;
  await stage.read('/read', 2);
  await stage.read('call', 2);
  stage.text = 'second';
  stage.minutes = 11;
  stage.cache.invalidate(['tag']);
  expect(stage.textAt('/read')).toBeUndefined();
  await expect.poll(() => stage.textAt('/read')).toBe('second');
  // A render in advance is no request.
  stage.minutes = 20;
  stage.cache.invalidate(['tag']);
  await delay(60);
  expect(stage.refreshed).toEqual(['/read']);
  expect(stage.cache.numbers()).toMatchObject({ refreshes: 1, misses: 3, entries: 0 });
});

test('the latest requested page is rendered first', async () => {
  const stage = openStage();
  for (const key of ['/b', '/c', '/a']) {
    await stage.read(key, 2);
    stage.minutes++;
  }
  stage.cache.invalidate(['tag']);
  await expect.poll(() => stage.refreshed).toEqual(['/a', '/c', '/b']);
});

test('a page rendered in advance has the encodings that were requested before', async () => {
  const stage = openStage();
  await stage.read('/a', 2);
  const page = stage.cache.get('/a');
  if (!page) throw new Error('not cached');
  await encode(page, 'br');
  stage.cache.invalidate(['tag']);
  await expect.poll(() => Object.keys(stage.cache.getStale('/a')?.bodies ?? {})).toEqual(['br']);
});

test('a render in advance that a write overtakes is repeated', async () => {
  const stage = openStage();
  await stage.read('/a', 2);
  stage.meanwhile = () => {
    stage.meanwhile = () => {};
    stage.text = 'third';
    stage.cache.invalidate(['tag']);
  };
  stage.text = 'second';
  stage.cache.invalidate(['tag']);
  await expect.poll(() => stage.textAt('/a')).toBe('third');
  expect(stage.refreshed).toEqual(['/a', '/a']);
});

test('when every page is invalidated, none is rendered in advance', async () => {
  let version = 1;
  let now = 0;
  const cache = createPageCache<string>({ maxBytes: MIB, foreignVersion: () => version, now: () => now });
  const refreshed: string[] = [];
  refreshPages(cache, (key) => {
    refreshed.push(key);
    return null;
  });
  await cache.load('/a', async () => ({ cached: toCachedPage(Buffer.from('text'), [], ['tag']) }));
  expect(cache.get('/a')).toBeDefined();
  version = 2;
  now = 1000;
  expect(cache.get('/a')).toBeUndefined();
  await delay(60);
  expect(refreshed).toEqual([]);
});
