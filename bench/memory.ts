import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { simulateUse } from './mixed-use.ts';
import { freePort, serveCommand, type Served } from './processes.ts';
import { memoryOfTree, type TreeMemory } from './process-tree.ts';
import { seeded } from './seed.ts';
import type { Row } from './stats.ts';

const RUN = fileURLToPath(new URL('../tools/run.mjs', import.meta.url));
const GOALS_MB = { peak: 450, idle: 220 };
const SETTLE_MS = 15_000;
/** Idle workers end after five minutes; this leaves some time for their exit. */
const IDLE_MS = 310_000;
const SAMPLE_INTERVAL_MS = 1_000;

/**
 * Section `memory`: memory of `npm start` (the server, its parent process and their children) while readers
 * and authors use a site for `minutes`, and after five minutes without a request.
 */
export async function benchMemory(data: string, corpus: string, minutes: number): Promise<Row[]> {
  const folder = join(data, 'memory');
  rmSync(folder, { recursive: true, force: true });
  cpSync(await seeded('few', data, corpus), folder, { recursive: true });
  const server = await startAsOperator(folder);
  try {
    await delay(SETTLE_MS);
    const started = memoryOfTree(server.pid);
    const watch = watchPeak(server);
    const done = await simulateUse(server, minutes * 60_000);
    const peak = watch.end();
    const used = memoryOfTree(server.pid);
    await delay(IDLE_MS);
    const note = minutes === 60 ? undefined : `short form: ${minutes} minutes of use instead of 60`;
    const { refused, ...kinds } = done;
    const requests = Object.values(kinds).reduce((sum, each) => sum + each, 0);
    return [
      row('15 s after a start', started, undefined, note),
      row(`peak, ${requests} requests, ${refused} of them refused`, peak, GOALS_MB.peak, note),
      row('after the last request', used, undefined, note),
      row('after five idle minutes', memoryOfTree(server.pid), GOALS_MB.idle, note),
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(what: string, { total, largest }: TreeMemory, goalMb?: number, note?: string): Row {
  return {
    what: `memory of \`npm start\`, ${what}`,
    ratio: total,
    spread: [total, total],
    unit: 'MB',
    ...(goalMb !== undefined && { goal: { atMost: goalMb } }),
    note: [`server alone: ${largest.toFixed(0)} MB resident`, ...(note ? [note] : [])].join('; '),
  };
}

/** Starts the product on `folder` with default settings. */
async function startAsOperator(folder: string): Promise<Served> {
  const port = await freePort();
  // Tokens that stay valid for the whole section.
  const env = { DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'error', ACCESS_TOKEN_TTL: '14400' };
  const command = [process.execPath, RUN, 'start'];
  return serveCommand(command, env, `http://127.0.0.1:${port}`, '/healthz', 'any');
}

function watchPeak({ pid }: Served) {
  let peak = memoryOfTree(pid);
  const timer = setInterval(() => {
    const now = memoryOfTree(pid);
    if (now.total > peak.total) peak = now;
  }, SAMPLE_INTERVAL_MS);
  return {
    end(): TreeMemory {
      clearInterval(timer);
      return peak;
    },
  };
}
