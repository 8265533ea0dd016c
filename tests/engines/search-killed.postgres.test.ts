import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { TEST_MS } from '../limits.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { countIndexFaults } from '../../src/lib/server/search/index-check.ts';
import { SIZES, tidy } from '../../src/lib/server/search/postgres/tidy.ts';
import { startPostgres, type TestPostgres } from '../postgres/start.ts';
import { amount, randomFrom, SEED, tally } from '../trial.ts';
import { openSearchStage, SMALL_SEGMENTS } from './search-fixture.ts';
import { openSearchPair, type SearchPair } from './search-pair.ts';

const TIDIER = fileURLToPath(new URL('search-tidier.ts', import.meta.url));
const KILLS = amount('TRUST_KILLS', 5, 60);
const random = randomFrom(SEED);

let server: TestPostgres;
let pair: SearchPair;

beforeEach(async () => {
  server = await startPostgres();
  const log = { info: () => {}, warn: () => {} };
  const db = await openPostgres(server.url, { connections: 4, log });
  const opened = { db, folder: '', file: '', close: () => db.close() };
  // Only the other process builds and merges.
  pair = await openSearchPair(await openSearchStage(async () => opened, SIZES), random);
});
afterEach(async () => {
  await pair?.close();
  await server?.end();
});

/** Decides at each step of the process whether to kill it during the next one. */
type Moment = (step: string) => Promise<boolean>;

const duringMerge: Moment = async (step) => {
  if (step === 'idle') await pair.addSome(14);
  return (await pair.count('search_segments where is_live = 0')) > 0;
};

function afterSteps(steps: number): Moment {
  let left = steps;
  return async () => {
    left--;
    if (left === Math.floor(steps / 2)) await pair.changeOne();
    return left === 0;
  };
}

/** Runs the process step by step; kills it or the database at `moment`. */
async function killTidying(moment: Moment, victim: 'process' | 'database'): Promise<void> {
  const child = spawn(process.execPath, [TIDIER, server.url], { stdio: ['pipe', 'pipe', 'ignore'] });
  // Its end closes the pipe.
  child.stdin.on('error', () => {});
  const ended = once(child, 'exit');
  let isKilled = false;
  for await (const step of createInterface(child.stdout)) {
    const isDue = !isKilled && (await moment(step));
    child.stdin.write('\n');
    if (!isDue) continue;
    isKilled = true;
    await sleep(random() * 6);
    // Without the database, the process ends by itself.
    if (victim === 'database') await server.kill();
    else child.kill('SIGKILL');
  }
  await ended;
  tally('merges of the search index killed');
  if (victim === 'database') await server.start();
  await eventually(() => pair.db.ping());
  // The server notices the lost connection, rolls back, and releases the lock of the job.
  await eventually(async () => {
    expect(await pair.count("pg_stat_activity where application_name = 'moye-tidier'")).toBe(0);
  });
}

const NO_FAULTS = { missing: 0, orphaned: 0, isStale: false };

test(
  'hits equal those of SQLite after the process that merges segments, or the database, was killed',
  { timeout: TEST_MS + 10_000 * KILLS },
  async () => {
    let [found, interrupted] = [0, 0];
    for (let kill = 0; kill < KILLS; kill++) {
      // The documents of one or two more segments, which make a merge due.
      await pair.addSome(pair.pick([14, 26]));
      const moment = kill === 0 ? duringMerge : afterSteps(1 + Math.floor(random() * 8));
      await killTidying(moment, kill % 3 === 2 ? 'database' : 'process');
      interrupted += await pair.count('search_segments where is_live = 0');
      found += await pair.compare(6, 100);
      expect(await countIndexFaults(pair.db)).toEqual(NO_FAULTS);
    }
    expect(interrupted).toBeGreaterThan(0);
    expect(found).toBeGreaterThan(KILLS);
    await tidy(pair.db, SMALL_SEGMENTS);
    expect(await pair.count('search_segments where is_live = 0')).toBe(0);
    expect(await pair.count('search_blocks where segment not in (select segment from search_segments)')).toBe(
      0,
    );
    await pair.compare(6, 100);
    expect(await countIndexFaults(pair.db)).toEqual(NO_FAULTS);
  },
);
