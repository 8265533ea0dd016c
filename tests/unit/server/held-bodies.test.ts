import { describe, expect, test } from 'vitest';
import { createHeldBodies } from '../../../src/lib/server/api/held-bodies.ts';

const BOUNDS = { total: 100, each: 40 };

/** A request body that arrives when the test says so. */
function arriving(bodies: ReturnType<typeof createHeldBodies>, owner: string, most = 40) {
  let stream!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
  const request = new Request('http://a/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  const opened = bodies.open(request, most, owner);
  const read = opened.bytes().then(
    (bytes) => bytes.length,
    ({ code, message, retryAfter }) => [code, message, retryAfter],
  );
  return {
    read,
    /** Sends more bytes, and waits until they were processed. */
    async send(bytes: number) {
      stream.enqueue(new Uint8Array(bytes));
      await new Promise(setImmediate);
    },
    end: () => stream.close(),
    answered: () => opened[Symbol.dispose](),
  };
}

const OWN = ['TOO_MANY_REQUESTS', '同时上传的内容过多，请稍后再试', 2];
const ALL = ['UNAVAILABLE', '网站正在接收的内容过多，请稍后再试', 2];

describe('bodies', () => {
  test('of many slow clients occupy only received bytes, and do not block others', async () => {
    const bodies = createHeldBodies(BOUNDS);
    const slow = Array.from({ length: 50 }, (_, index) => arriving(bodies, `slow ${index}`));
    for (const { send } of slow) await send(1);
    const honest = arriving(bodies, 'honest');
    await honest.send(40);
    honest.end();
    expect(await honest.read).toBe(40);
    for (const { end } of slow) end();
    expect(await Promise.all(slow.map(({ read }) => read))).toEqual(slow.map(() => 1));
  });

  test('of one owner are refused beyond its limit, until earlier ones are answered', async () => {
    const bodies = createHeldBodies(BOUNDS);
    const [first, second] = [arriving(bodies, 'one'), arriving(bodies, 'one')];
    await first.send(30);
    first.end();
    await second.send(11);
    expect(await second.read).toEqual(OWN);
    expect(await first.read).toBe(30);
    const other = arriving(bodies, 'another');
    await other.send(11);
    first.answered();
    const third = arriving(bodies, 'one');
    await third.send(40);
    for (const { end } of [third, other]) end();
    expect([await third.read, await other.read]).toEqual([40, 11]);
  });

  test('of the largest holder are dropped in favour of a smaller one', async () => {
    const bodies = createHeldBodies(BOUNDS);
    const floods = ['a', 'b'].map((owner) => [arriving(bodies, owner), arriving(bodies, owner)] as const);
    for (const [large, small] of floods) {
      await large.send(25);
      await small.send(15);
    }
    const greedy = arriving(bodies, 'c');
    await greedy.send(20);
    const honest = arriving(bodies, 'honest');
    await honest.send(10);
    honest.end();
    expect(await honest.read).toBe(10);
    const [[largest, small], other] = floods as [(typeof floods)[0], (typeof floods)[0]];
    expect(await largest.read).toEqual(ALL);
    for (const { end } of [small, ...other, greedy]) end();
    expect(await Promise.all([small, ...other, greedy].map(({ read }) => read))).toEqual([15, 25, 15, 20]);
  });

  test('that have arrived are kept: a newcomer gets Retry-After when memory is used up', async () => {
    const bodies = createHeldBodies(BOUNDS);
    const whole = ['a', 'b', 'c'].map((owner) => arriving(bodies, owner));
    for (const { send, end } of whole) {
      await send(32);
      end();
    }
    expect(await Promise.all(whole.map(({ read }) => read))).toEqual([32, 32, 32]);
    const late = arriving(bodies, 'late');
    await late.send(5);
    expect(await late.read).toEqual(ALL);
    late.answered();
    whole[0]?.answered();
    const again = arriving(bodies, 'late');
    await again.send(5);
    again.end();
    expect(await again.read).toBe(5);
  });

  test('larger than their call allows are refused, and occupy nothing afterwards', async () => {
    const bodies = createHeldBodies(BOUNDS);
    for (let round = 0; round < 5; round++) {
      const large = arriving(bodies, 'one', 20);
      await large.send(20);
      await large.send(1);
      expect(await large.read).toMatchObject(['BODY_TOO_LARGE', '提交的内容过大', undefined]);
      large.answered();
    }
    const announced = new Request('http://a/', { method: 'POST', headers: { 'Content-Length': '21' } });
    expect(() => bodies.open(announced, 20, 'one')).toThrow('提交的内容过大');
  });
});
