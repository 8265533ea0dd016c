import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { countIndexFaults } from '../../src/lib/server/search/index-check.ts';
import { SIZES, tidy } from '../../src/lib/server/search/postgres/tidy.ts';
import { startPostgres, type TestPostgres } from '../postgres/start.ts';
import { amount, randomFrom, SEED, tally } from '../trial.ts';
import { openSqliteDatabase } from './open.ts';
import { openSearchStage, SMALL_SEGMENTS, type Sample, type SearchStage } from './search-fixture.ts';
import { writerFrom } from './search-texts.ts';

const TIDIER = fileURLToPath(new URL('search-tidier.ts', import.meta.url));
const KILLS = amount('TRUST_KILLS', 5, 60);
const random = randomFrom(SEED);
const { pick, sample, wordOf } = writerFrom(random);

let server: TestPostgres;
let sqlite: SearchStage;
let postgres: SearchStage;
let samples: Sample[];
let ids: string[];

beforeEach(async () => {
  server = await startPostgres();
  const log = { info: () => {}, warn: () => {} };
  const db = await openPostgres(server.url, { connections: 4, log });
  const opened = { db, folder: '', file: '', close: () => db.close() };
  sqlite = await openSearchStage(openSqliteDatabase);
  // Only the other process builds and merges.
  postgres = await openSearchStage(async () => opened, SIZES);
  [samples, ids] = [[], []];
});
afterEach(async () => {
  await sqlite?.close();
  await postgres?.close();
  await server?.end();
});

async function count(from: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.raw(from)}`.execute(
    postgres.db.read,
  );
  return rows[0]?.total ?? 0;
}

async function onBoth(write: (stage: SearchStage) => Promise<unknown>): Promise<void> {
  for (const stage of [sqlite, postgres]) await write(stage);
}

async function addSome(total: number): Promise<void> {
  // Few dates, so that segments overlap and numbers are taken.
  const date = () => Date.UTC(2024, 0, 1) + Math.floor(random() * 50) * 1000;
  const added = Array.from({ length: total }, () => ({ ...sample(), createTime: date() }));
  await sqlite.addAll(added);
  ids.push(...(await postgres.addAll(added)));
  samples.push(...added);
}

async function changeOne(): Promise<void> {
  const id = pick(ids);
  if (random() < 0.3) {
    ids.splice(ids.indexOf(id), 1);
    return onBoth((stage) => stage.hide(id));
  }
  const changed = sample();
  samples.push(changed);
  await onBoth((stage) => stage.change(id, changed));
}

/** Compares random queries on both engines; returns the number of hits. */
async function compare(): Promise<number> {
  let found = 0;
  for (let round = 0; round < 6; round++) {
    const keywords = Array.from({ length: pick([1, 1, 2]) }, () => wordOf(samples, 8)).join(' ');
    const query = { keywords, page: 1, pageSize: 100 };
    const expected = await sqlite.index.search(query);
    expect(await postgres.index.search(query), JSON.stringify(query)).toEqual(expected);
    found += expected.total;
  }
  return found;
}

/** Starts the process; after some of its transactions, while articles change, kills it or the database. */
async function killTidying(transactions: number, victim: 'process' | 'database'): Promise<void> {
  const child = spawn(process.execPath, [TIDIER, server.url], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  let left = transactions;
  for await (const _ of createInterface(child.stdout)) {
    left--;
    if (left === Math.floor(transactions / 2)) await changeOne();
    if (left !== 0) continue;
    await sleep(random() * 6);
    if (victim === 'database') await server.kill();
    else child.kill('SIGKILL');
  }
  await ended;
  tally('merges of the search index killed');
  if (victim === 'database') await server.start();
  await vi.waitFor(() => postgres.db.ping(), 10_000);
  // The server notices the lost connection, rolls back, and releases the lock of the job.
  await vi.waitFor(async () => {
    expect(await count("pg_stat_activity where application_name = 'moye-tidier'")).toBe(0);
  }, 10_000);
}

const NO_FAULTS = { missing: 0, orphaned: 0, isStale: false };

test(
  'hits equal those of SQLite after the process that merges segments, or the database, was killed',
  { timeout: 60_000 + 10_000 * KILLS },
  async () => {
    let [found, interrupted] = [0, 0];
    for (let kill = 0; kill < KILLS; kill++) {
      // The documents of one or two more segments, which make a merge due.
      await addSome(pick([14, 26]));
      await killTidying(1 + Math.floor(random() * 8), kill % 3 === 2 ? 'database' : 'process');
      interrupted += await count('search_segments where is_live = 0');
      found += await compare();
      expect(await countIndexFaults(postgres.db)).toEqual(NO_FAULTS);
    }
    // Some kills were during a merge, so that the comparison proves something.
    expect(interrupted).toBeGreaterThan(0);
    expect(found).toBeGreaterThan(KILLS);
    await tidy(postgres.db, SMALL_SEGMENTS);
    expect(await count('search_segments where is_live = 0')).toBe(0);
    expect(await count('search_blocks where segment not in (select segment from search_segments)')).toBe(0);
    await compare();
    expect(await countIndexFaults(postgres.db)).toEqual(NO_FAULTS);
  },
);
