import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTurns } from '../../../../src/lib/server/jobs/turns.ts';

const LIMITS = { running: 6, runningEach: 2, waiting: 12, waitingEach: 8 };
const UNAVAILABLE = { code: 'UNAVAILABLE', status: 503, retryAfter: 2 };

/** Work that runs until the test ends it, listed in the order in which it started. */
function createStage() {
  const turns = createTurns('page', LIMITS);
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  return {
    begun,
    running: () => [...running.keys()],
    ask: (owner: string, name: string) =>
      turns.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => running.set(name, resolve));
        running.delete(name);
        return name;
      }, owner),
    end: (name: string) => running.get(name)?.(),
  };
}

const settle = async () => {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('work of many clients', () => {
  test('runs two at once per client, and a newcomer overtakes a waiting flood', async () => {
    const stage = createStage();
    const flood = Array.from({ length: 10 }, (_, index) => stage.ask('a', `a${index}`));
    await settle();
    expect(stage.running()).toEqual(['a0', 'a1']);
    const other = stage.ask('b', 'b0');
    await settle();
    expect(stage.running()).toEqual(['a0', 'a1', 'b0']);
    stage.end('b0');
    expect(await other).toBe('b0');
    for (let index = 0; index < 10; index++) {
      await settle();
      expect(stage.running().length).toBeLessThanOrEqual(2);
      stage.end(`a${index}`);
    }
    expect(await Promise.all(flood)).toHaveLength(10);
  });

  test('starts one per round of the event loop, of any kind', async () => {
    const rounds: number[] = [];
    let round = 0;
    let ticking = setImmediate(function tick() {
      round++;
      ticking = setImmediate(tick);
    });
    const [pages, calls] = [createTurns('page', LIMITS), createTurns('call', LIMITS)];
    const note = async () => void rounds.push(round);
    await Promise.all([
      ...['a', 'b', 'c'].map((owner) => pages.run(note, owner)),
      ...['a', 'b', 'c'].map((owner) => calls.run(note, owner)),
    ]);
    clearImmediate(ticking);
    expect(new Set(rounds).size).toBe(6);
    // A cached page needs two rounds between: its connection is accepted, its request read.
    const pauses = rounds.slice(1).map((each, at) => each - (rounds[at] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(3);
  });

  test('starts one per client in turn, however many a client may run', async () => {
    const begun: string[] = [];
    const turns = createTurns('call', { ...LIMITS, runningEach: 5 });
    const ask = (owner: string) => turns.run(async () => void begun.push(owner), owner);
    await Promise.all([...Array.from({ length: 5 }, () => ask('a')), ask('b')]);
    expect(begun.indexOf('b')).toBeLessThan(3);
  });

  test('is refused when a client has too many waiting, and when it waits too long', async () => {
    const stage = createStage();
    const outcomes = Array.from({ length: 10 }, (_, index) =>
      stage.ask('a', `a${index}`).catch((error: unknown) => error),
    );
    await settle();
    await expect(stage.ask('a', 'a10')).rejects.toMatchObject(UNAVAILABLE);
    vi.advanceTimersByTime(1_500);
    expect(await Promise.all(outcomes.slice(2))).toMatchObject(Array.from({ length: 8 }, () => UNAVAILABLE));
    // Running work continues; refused work never starts.
    stage.end('a0');
    stage.end('a1');
    expect(await Promise.all(outcomes.slice(0, 2))).toEqual(['a0', 'a1']);
    await settle();
    expect(stage.begun).toEqual(['a0', 'a1']);
  });
});
