import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCacheStage, type CacheStage } from './cache-stage.ts';
import { done, type Fields } from './server.ts';

/**
 * Which answers of the API are kept for visitors; that they are never old is page-cache-random.test.ts's
 * part.
 */
let stage: CacheStage;
let id: string;
beforeAll(async () => {
  stage = await openCacheStage();
  id = stage.detail.split('/').at(-1) ?? '';
});
afterAll(() => stage.server.close());

const ask = (path: string, fields: Fields, token?: string) => stage.server.post(path, fields, token);
/** How many answers and pages are kept once `work` is done that were not before. */
async function keptBy(work: () => Promise<unknown>): Promise<number> {
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
])('%s is made once for all visitors', async (path, fields) => {
  stage.clear();
  const first = await ask(path, fields());
  expect(done(first)).toBeTruthy();
  const { renders } = stage.numbers();
  expect((await ask(path, fields())).text).toBe(first.text);
  // Its author gets the same, made for them.
  expect((await ask(path, fields(), stage.author.token)).data).toEqual(first.data);
  expect(stage.numbers()).toMatchObject({ renders, entries: 1 });
});

test('what only its author may see is not kept', async () => {
  const secret = await stage.server.write(stage.author, { title: '藏', secret: 'true' });
  const kept = await keptBy(async () => {
    expect((await ask('/api/page/detail', { id: secret }, stage.author.token)).data.title).toBe('藏');
    expect((await ask('/api/page/detail', { id: secret })).code).toBe('ERROR');
  });
  expect(kept).toBe(0);
});

test('a page beyond the last, and fields that nobody repeats, are not kept', async () => {
  const kept = await keptBy(async () => {
    expect((await ask('/api/page/pagelist', { page: 900 })).data.result).not.toEqual([]);
    await ask('/api/page/pagelist', { type: 'tag', content: '长'.repeat(2000) });
  });
  expect(kept).toBe(0);
});

test('what a visitor takes in brotli is kept in brotli', async () => {
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
