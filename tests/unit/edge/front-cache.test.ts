import { expect, test } from 'vitest';
import { frontCache } from '../../../src/lib/edge/front-cache.ts';

const purged: (string | string[] | undefined)[] = [];
const provider = {
  name: 'fake',
  setHeaders: ({ tags, maxAge, swr }: { tags?: string[]; maxAge?: number; swr?: number }) =>
    new Headers({ 'X-Tags': (tags ?? []).join(','), 'X-Control': `max-age=${maxAge}, swr=${swr}` }),
  invalidate: async ({ tags }: { tags?: string | string[] }) => void purged.push(tags),
};
const front = frontCache(provider, { header: 'X-Control' });

test('a stale page may be shown for a while, and longer when there is no other', () => {
  const headers = front.headersFor(['site', 'lists'], new Request('https://blog.example/home'));
  expect(headers.get('X-Tags')).toBe('site,lists');
  expect(headers.get('X-Control')).toBe('max-age=60, swr=600, stale-if-error=3600');
});

test('many tags are purged in several calls, long ones under their stored name', async () => {
  const long = `tag:${encodeURIComponent('长'.repeat(30))}`;
  const kept = front.headersFor([long], new Request('https://blog.example/')).get('X-Tags');
  await front.purge([long, ...Array.from({ length: 40 }, (_, index) => `card:${index}`)]);
  expect(purged.map((tags) => tags?.length)).toEqual([30, 11]);
  expect(purged[0]?.[0]).toBe(kept);
  expect(kept?.length).toBe(256);
});

test('without such a cache nothing is purged', async () => {
  purged.length = 0;
  await frontCache(provider, { header: 'X-Control', isAvailable: () => false }).purge(['site']);
  expect(purged).toEqual([]);
});
