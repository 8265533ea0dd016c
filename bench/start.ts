import { fileURLToPath } from 'node:url';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf, serve, serveProduct, type Served } from './processes.ts';
import { seeded } from './seed.ts';
import { figureOf, ratioOf, type Row } from './stats.ts';

const BARE = fileURLToPath(new URL('./bare/buffer.ts', import.meta.url));
const ROUNDS = 7;
const IDLE_MS = 10_000;

/**
 * Section `start`: the time from process start to the first page, and the memory while idle. The two figures
 * with a goal are absolute, not ratios.
 */
export async function benchStart(data: string, corpus: string): Promise<Row[]> {
  const folder = await seeded('few', data, corpus);
  const headers = join(data, 'headers.json');
  writeFileSync(headers, '{}');
  const bare = { BODY: headers, HEADERS: headers };
  const times: Pair = { ours: [], theirs: [] };
  const memory: Pair = { ours: [], theirs: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const isLast = round >= ROUNDS - 1;
    const ours = await started(() => serveProduct(folder, {}, '/home'), isLast);
    const theirs = await started(() => serve(BARE, bare, '/'), isLast);
    // The first round only fills the system's file cache.
    if (round === 0) continue;
    times.ours.push(ours.seconds);
    times.theirs.push(theirs.seconds);
    if (!isLast) continue;
    memory.ours.push(ours.memory);
    memory.theirs.push(theirs.memory);
  }
  return report(times, memory);
}

type Pair = { ours: number[]; theirs: number[] };

function report(times: Pair, memory: Pair): Row[] {
  return [
    {
      what: 'process start → first 200 of /home',
      ...figureOf(times.ours),
      goal: { atMost: 1 },
      unit: 's',
    },
    {
      what: 'process start → first 200 / bare node:http server',
      ...ratioOf(times.ours, times.theirs),
    },
    {
      what: 'memory after 10 s without a request',
      ...figureOf(memory.ours),
      goal: { atMost: 150 },
      unit: 'MB',
    },
    {
      what: 'memory after 10 s without a request / bare node:http server',
      ...ratioOf(memory.ours, memory.theirs),
    },
  ];
}

/**
 * Starts a server and stops it again. Returns the seconds until the first page, and the server's memory,
 * measured after an idle time when `mayIdle` is set.
 */
async function started(
  start: () => Promise<Served>,
  mayIdle: boolean,
): Promise<{ seconds: number; memory: number }> {
  const before = performance.now();
  const server = await start();
  const seconds = (performance.now() - before) / 1000;
  try {
    if (mayIdle) await delay(IDLE_MS);
    return { seconds, memory: memoryOf(server) };
  } finally {
    await server.stop();
  }
}
