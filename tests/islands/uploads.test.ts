import { beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../src/lib/client/call-error.ts';
import {
  $uploads,
  cancelUpload,
  cancelUploads,
  retryUpload,
  startUpload,
} from '../../src/lib/stores/pictures/uploads.ts';

/** Pending uploads by name; the test ends each. */
const underWay = vi.hoisted(() => new Map<string, PromiseWithResolvers<{ url: string }>>());
vi.mock('../../src/lib/stores/api.ts', () => ({
  upload(file: File, { signal }: { signal: AbortSignal }) {
    const answer = Promise.withResolvers<{ url: string }>();
    underWay.set(file.name, answer);
    signal.addEventListener('abort', () => answer.reject(new Error('aborted')));
    return answer.promise.finally(() => underWay.delete(file.name));
  },
}));

const arrived: (string | null)[] = [];
beforeEach(() => {
  for (const { id } of $uploads.get()) cancelUpload(id);
  arrived.length = 0;
});

const settled = () => new Promise(setImmediate);
const add = (name: string, type = 'image/png') =>
  startUpload(new File(['x'], name, { type }), (url) => arrived.push(url));
const shown = () => $uploads.get().map(({ name, problem, mayRetry }) => [name, problem, mayRetry]);

test('pictures are sent two at a time; other files are refused at once', async () => {
  for (const name of ['一.png', '二.png', '三.png']) add(name);
  add('四.svg', 'image/svg+xml');
  await settled();
  expect([...underWay.keys()]).toEqual(['一.png', '二.png']);
  expect(shown().at(-1)).toEqual(['四.svg', expect.stringContaining('无法识别的图片'), false]);
  underWay.get('二.png')?.resolve({ url: '/2' });
  await settled();
  expect([...underWay.keys()]).toEqual(['一.png', '三.png']);
  underWay.get('一.png')?.resolve({ url: '/1' });
  underWay.get('三.png')?.resolve({ url: '/3' });
  await settled();
  expect(new Set(arrived)).toEqual(new Set([null, '/1', '/2', '/3']));
});

test('one that fails or is cancelled does not delay others', async () => {
  const [first, second] = [add('一.png'), add('二.png')];
  add('三.png');
  await settled();
  cancelUpload(second);
  underWay.get('一.png')?.reject(new CallError('unreachable', '网络不通'));
  await settled();
  expect([...underWay.keys()]).toEqual(['三.png']);
  retryUpload(first);
  retryUpload(first);
  underWay.get('三.png')?.resolve({ url: '/3' });
  await settled();
  underWay.get('一.png')?.resolve({ url: '/1' });
  await settled();
  expect(arrived).toEqual([null, '/3', '/1']);
  expect([underWay.size, shown()]).toEqual([0, []]);
});

test.each([
  [200, 'IMAGE_UNREADABLE', false],
  [413, 'BODY_TOO_LARGE', false],
  [429, 'TOO_MANY_REQUESTS', true],
  [503, 'UNAVAILABLE', true],
])('a picture refused with %i can be sent again if waiting helps', async (status, code, mayRetry) => {
  add('一.png');
  await settled();
  underWay.get('一.png')?.reject(new CallError('refused', '不行', status, { code }));
  await settled();
  expect(shown()).toEqual([['一.png', '不行', mayRetry]]);
  // Nothing of it stays in the text unless it may still arrive.
  expect(arrived).toEqual(mayRetry ? [] : [null]);
});

test('of 200 at once two are sent, and a reached quota is reported once, not 200 times', async () => {
  const names = Array.from({ length: 200 }, (_, number) => `${number}.png`);
  const ids = names.map((name) => add(name));
  await settled();
  expect(underWay.size).toBe(2);
  underWay.get('0.png')?.resolve({ url: '/0' });
  await settled();
  const full = { code: 'QUOTA_REACHED', retryAfter: 3600 };
  underWay.get('1.png')?.reject(new CallError('refused', '今天的用量已达上限', 429, full));
  await settled();
  // The picture on its way has its own answer.
  expect([...underWay.keys()]).toEqual(['2.png']);
  underWay.get('2.png')?.resolve({ url: '/2' });
  await settled();
  expect([underWay.size, arrived]).toEqual([0, ['/0', '/2']]);
  const refused = names.filter((name) => !['0.png', '2.png'].includes(name));
  expect(shown()).toEqual(refused.map((name) => [name, '今天的用量已达上限', true]));
  retryUpload(ids[199] ?? 0);
  await settled();
  expect([...underWay.keys()]).toEqual(['199.png']);
  underWay.get('199.png')?.resolve({ url: '/199' });
  await settled();
  cancelUploads(ids);
  expect([arrived.filter((url) => url !== null), shown()]).toEqual([['/0', '/2', '/199'], []]);
});
