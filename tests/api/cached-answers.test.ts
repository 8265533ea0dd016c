import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCacheStage, type CacheStage } from './cache-stage.ts';
import { done, type Fields } from './server.ts';

/**
 * Tests which API responses are cached for visitors. That they are never stale is tested in
 * page-cache-random.test.ts.
 */
let stage: CacheStage;
let id: string;
beforeAll(async () => {
  stage = await openCacheStage();
  id = stage.detail.split('/').at(-1) ?? '';
});
afterAll(() => stage.server.close());

const ask = (path: string, fields: Fields, token?: string) => stage.server.post(path, fields, token);
/** Returns how many cache entries `work` adds. */
async function countCachedBy(work: () => Promise<unknown>): Promise<number> {
  const before = stage.numbers().entries;
  await work();
  return stage.numbers().entries - before;
}

test.each([
  ['/api/page/pagelist', () => ({ page: 1 })],
  ['/api/page/searchpage', () => ({ keywords: '山' })],
  ['/api/page/searchpage', () => ({ keywords: '山', order: 'time' })],
  ['/api/page/suggest', () => ({ q: '山' })],
  ['/api/page/detail', () => ({ id })],
  ['/api/tag/taglist', () => ({})],
  ['/api/tag/alltags', () => ({})],
])('%s is rendered once for all visitors', async (path, fields) => {
  stage.clear();
  const first = await ask(path, fields());
  expect(done(first)).toBeTruthy();
  const { renders } = stage.numbers();
  expect((await ask(path, fields())).text).toBe(first.text);
  // The author gets the same data from a separate, uncached render.
  expect((await ask(path, fields(), stage.author.token)).data).toEqual(first.data);
  expect(stage.numbers()).toMatchObject({ renders, entries: 1 });
});

test.each([
  ['/api/page/feed', () => ({})],
  ['/api/page/feed', () => ({ kind: 'user', name: stage.author.username })],
  ['/api/page/feed', () => ({ kind: 'tag', name: '诗' })],
  ['/api/page/sitemap', () => ({})],
  ['/api/page/sitemap/part', () => ({ kind: 'articles', part: 0 })],
  ['/api/page/file', () => ({ id })],
  ['/api/page/ways', () => ({ id })],
  ['/api/page/searchpage', () => ({ keywords: '山' })],
])('%s with %o is made once for everyone, signed in or not', async (path, fields) => {
  stage.clear();
  const before = stage.numbers().renders;
  const mine = await ask(path, fields(), stage.author.token);
  expect(done(mine)).toBeTruthy();
  expect((await ask(path, fields())).text).toBe(mine.text);
  expect((await ask(path, fields(), stage.reader.token)).text).toBe(mine.text);
  expect(stage.numbers()).toMatchObject({ renders: before + 1, entries: 1 });
});

test('concurrent requests for a feed render it once', async () => {
  stage.clear();
  const before = stage.numbers().renders;
  const answers = await Promise.all(Array.from({ length: 250 }, () => ask('/api/page/feed', {})));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(stage.numbers().renders).toBe(before + 1);
  // The site's feed has no name; any name that is sent is ignored.
  await ask('/api/page/feed', { kind: 'site', name: '别名' });
  expect(stage.numbers().renders).toBe(before + 1);
});

test('a feed reflects the latest writes, and shows nothing secret', async () => {
  const { author, server } = stage;
  const feeds = [{}, { kind: 'user', name: author.username }, { kind: 'tag', name: '诗' }];
  const titles = async () =>
    Promise.all(
      feeds.map(async (fields) =>
        done(await ask('/api/page/feed', fields)).items.map(({ title }: { title: string }) => title),
      ),
    );
  await titles();
  const article = await server.write(author, { title: '新来的', tags: ['诗'] });
  for (const list of await titles()) expect(list).toContain('新来的');
  const fields = { id: article, content: '空山新雨后', tags: ['诗'], status: 'normal' };
  done(await ask('/api/page/edit', { ...fields, title: '改过的', secret: 'false' }, author.token));
  for (const list of await titles()) expect(list).toContain('改过的');
  done(await ask('/api/page/edit', { ...fields, title: '改过的', secret: 'true' }, author.token));
  for (const list of await titles()) expect(list).not.toContain('改过的');
  // The author also gets the public feed, here as its first reader after the change.
  const own = done(await ask('/api/page/feed', feeds[1] as Fields, author.token));
  expect(JSON.stringify(own)).not.toContain('改过的');
});

test('responses for the author only are not cached', async () => {
  const secret = await stage.server.write(stage.author, { title: '藏', secret: 'true' });
  const kept = await countCachedBy(async () => {
    expect((await ask('/api/page/detail', { id: secret }, stage.author.token)).data.title).toBe('藏');
    expect((await ask('/api/page/detail', { id: secret })).code).toBe('ERROR');
  });
  expect(kept).toBe(0);
});

test('pages beyond the last and unusual fields are not cached', async () => {
  const kept = await countCachedBy(async () => {
    expect((await ask('/api/page/pagelist', { page: 900 })).data.result).not.toEqual([]);
    await ask('/api/page/pagelist', { type: 'tag', content: '长'.repeat(2000) });
  });
  expect(kept).toBe(0);
});

test('a brotli response is cached as brotli', async () => {
  const asked = () =>
    stage.server.send('/api/page/detail', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': 'br' },
      body: `id=${id}`,
    });
  const [{ text: whole }, first, again] = [
    await ask('/api/page/detail', { id }),
    await asked(),
    await asked(),
  ];
  for (const { headers, text } of [first, again]) {
    expect(headers.get('content-encoding')).toBe('br');
    expect(headers.get('vary')).toContain('Accept-Encoding');
    expect(text).toBe(whole);
  }
});
