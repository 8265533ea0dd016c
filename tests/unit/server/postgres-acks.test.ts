import { expect, test, vi } from 'vitest';
import { createAcks, type Acks } from '../../../src/lib/server/db/postgres/postgres-acks.ts';

const LEASE_MS = 250;

/** Processes on one channel, each of which receives all messages. */
async function openProcesses(names: readonly string[]) {
  const all = names.map((name) => createAcks(name, LEASE_MS));
  const silent = new Set<Acks>();
  const send = async (text: string) => {
    for (const each of all) if (!silent.has(each)) each.open(text);
  };
  for (const each of all) await each.connect(send);
  return { all, silent };
}

const isDone = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => (done = true));
  await vi.advanceTimersByTimeAsync(0);
  return done;
};

test('a writer waits for every other process, whether it confirms early or late', async () => {
  vi.useFakeTimers();
  const { all } = await openProcesses(['a', 'b', 'c']);
  const [a, b, c] = all as [Acks, Acks, Acks];
  b.acknowledge('a', 1);
  const heard = a.received(1);
  expect(await isDone(heard)).toBe(false);
  c.acknowledge('a', 1);
  expect(await isDone(heard)).toBe(true);
  vi.useRealTimers();
});

test('a silent process is waited for once, until its lease expires, and not again until it responds', async () => {
  vi.useFakeTimers();
  const { all, silent } = await openProcesses(['a', 'b']);
  const [a, b] = all as [Acks, Acks];
  const first = a.received(1);
  expect(await isDone(first)).toBe(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(await isDone(first)).toBe(true);
  expect(await isDone(a.received(2))).toBe(true);
  b.acknowledge('a', 2);
  expect(await isDone(a.received(3))).toBe(false);
  silent.add(b);
  vi.useRealTimers();
});

test('no one waits for a process that has left, or without others', async () => {
  const alone = createAcks('a', LEASE_MS);
  await expect(alone.received(1)).resolves.toBeUndefined();
  const { all } = await openProcesses(['a', 'b']);
  await all[1]?.leave();
  await all[0]?.received(1);
});

test('without a connection confirmations are lost, and a writer that had peers waits for the lease', async () => {
  vi.useFakeTimers();
  const { all } = await openProcesses(['a', 'b']);
  all[0]?.disconnect();
  const heard = all[0]?.received(1) as Promise<void>;
  expect(await isDone(heard)).toBe(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(await isDone(heard)).toBe(true);
  vi.useRealTimers();
});
