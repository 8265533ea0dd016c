import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRequestLimiter } from '../../../src/lib/server/auth/guard/guard.ts';
import { createRenders } from '../../../src/lib/server/cache/renders.ts';

const unlimited = createRequestLimiter({ enabled: false });
/** Lets all pending work run, including the pauses between renders. */
const settle = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/**
 * Requests a render from each address in order; `started` lists the renders that have started, and `end` ends
 * one.
 */
function stage(addresses: readonly string[]) {
  const renders = createRenders(unlimited);
  const started: number[] = [];
  const works = addresses.map(() => Promise.withResolvers<string>());
  const results = addresses.map((address, index) =>
    renders
      .run(() => {
        started.push(index);
        return works[index]?.promise ?? Promise.reject(new Error('no such work'));
      }, address)
      .catch(({ code, retryAfter }: { code: string; retryAfter: number }) => `${code} ${retryAfter}`),
  );
  return { started, results, end: (index: number) => works[index]?.resolve(`page ${index}`) };
}
const many = (address: string, count: number) => Array.from({ length: count }, () => address);

test('an address renders two pages at once, 32 wait, more are refused, and others are interleaved', async () => {
  const { started, results, end } = stage([...many('192.0.2.1', 35), '192.0.2.2', '2001:db8::1']);
  await settle();
  expect(started).toEqual([0, 1, 35, 36]);
  expect(await results[34]).toBe('UNAVAILABLE 2');
  end(0);
  expect(await results[0]).toBe('page 0');
  await settle();
  expect(started).toEqual([0, 1, 35, 36, 2]);
});

test('eight pages are rendered at once, and addresses take turns', async () => {
  const floods = [1, 2, 3, 4].flatMap((number) => many(`192.0.2.${number}`, 4));
  const { started, end } = stage([...floods, '198.51.100.1']);
  await settle();
  // Sorted, because clients also take turns at starting.
  expect(started.toSorted((a, b) => a - b)).toEqual([0, 1, 4, 5, 8, 9, 12, 13]);
  for (const index of [0, 4, 8, 12, 1]) end(index);
  await settle();
  // No address gets a second turn before the single page of the fifth address.
  expect(started.slice(8)).toEqual([2, 6, 10, 14, 16]);
});

test('one IPv6 network counts as one address', async () => {
  const { started } = stage(['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1']);
  await settle();
  expect(started).toEqual([0, 1, 3]);
});

test('other requests are read between pages that render without waiting', async () => {
  const renders = createRenders(unlimited);
  const order: string[] = [];
  const pages = Promise.all(
    [1, 2, 3].map((number) =>
      renders.run(async () => void order.push(`page ${number}`), `192.0.2.${number}`),
    ),
  );
  const tick = () => {
    order.push('others');
    if (order.length < 20) setImmediate(tick);
  };
  setImmediate(tick);
  await pages;
  await settle();
  expect(order.join(' ')).toMatch(/^(?:others )*page 1 (?:others )+page 2 (?:others )+page 3 /);
});

test('a failed page frees its slot', async () => {
  const renders = createRenders(unlimited);
  for (let index = 0; index < 20; index++)
    await expect(renders.run(() => Promise.reject(new Error('broken')), '192.0.2.1')).rejects.toThrow(
      'broken',
    );
  expect(await renders.run(async () => 'fine', '192.0.2.1')).toBe('fine');
});

test('an address may have 100 pages rendered in ten seconds', async () => {
  const renders = createRenders(createRequestLimiter({ enabled: true }));
  const page = async () => 'page';
  for (let index = 0; index < 100; index++) expect(await renders.run(page, '192.0.2.1')).toBe('page');
  const refused = { code: 'TOO_MANY_REQUESTS', status: 429, retryAfter: 10 };
  await expect(renders.run(page, '192.0.2.1')).rejects.toMatchObject(refused);
  await expect(renders.run(page, '::ffff:192.0.2.1')).rejects.toMatchObject(refused);
  expect(await renders.run(page, '192.0.2.2')).toBe('page');
});

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => vi.useRealTimers());

test('a client that waited 1.5 seconds gets Retry-After, and nothing is rendered for it', async () => {
  const { started, results, end } = stage(many('192.0.2.1', 4));
  await settle();
  vi.advanceTimersByTime(1_500);
  expect(await Promise.all(results.slice(2))).toEqual(['UNAVAILABLE 2', 'UNAVAILABLE 2']);
  end(0);
  end(1);
  expect(await Promise.all(results.slice(0, 2))).toEqual(['page 0', 'page 1']);
  await settle();
  expect(started).toEqual([0, 1]);
});
