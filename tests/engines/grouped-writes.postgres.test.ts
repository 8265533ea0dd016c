import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { TEST_MS } from '../limits.ts';
import type { Database, Trx } from '../../src/lib/server/db/database.ts';
import { perform } from '../../src/lib/server/db/perform.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { asRequest, StorageUnavailableError, waiting } from '../../src/lib/server/storage/storage.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { amount } from '../trial.ts';

/** Writes that are committed together: whatever happens to one, each is stored if and only if it succeeds. */
let storage: TestStorage;
let db: Database;
let other: Database;
let admin: Client;
/** Numbers of writes in the order of their `afterCommit`, and of their notices in another process. */
let followed: number[];
let heard: unknown[] = [];
const quiet = { info: () => {}, warn: () => {} };
const WRITER = fileURLToPath(new URL('group-writer.ts', import.meta.url));
const KILLS = amount('MOYE_KILLS', 2, 20);
const PATIENT = { timeout: TEST_MS + 60_000 * KILLS };

const open = (): Promise<Database> =>
  openPostgres(storage.settings['DATABASE_URL'] ?? '', { connections: 4, writesPerCommit: 32, log: quiet });

beforeAll(async () => {
  storage = await createStorage('');
  admin = new Client(storage.settings['DATABASE_URL']);
  await admin.connect();
  await admin.query(`create table marks (number integer primary key, run bigint not null);
    create table slow (id integer);
    create function sleeping() returns trigger language plpgsql as
      'begin perform pg_sleep(1); return null; end';
    create constraint trigger slow after insert on slow deferrable initially deferred
      for each row execute function sleeping()`);
  db = await open();
  other = await open();
  await other.notices?.listen({ onNotice: (notice) => void heard.push(notice), onGap: () => {} });
});
afterAll(async () => {
  await db?.close();
  await other?.close();
  await admin?.query('drop table marks; drop table slow; drop function sleeping');
  await admin?.end();
  await storage?.remove();
});
/** Forgets earlier writes, once their notices have arrived. */
async function reset(): Promise<void> {
  await db.write(async (trx) => db.announce(trx, 'last'));
  await eventually(() => expect(heard.at(-1)).toBe('last'));
  await admin.query('truncate marks');
  [followed, heard] = [[], []];
}
beforeEach(reset);

/** Stores `number`; the transaction's id shows which writes were committed together. */
const mark = (trx: Trx, number: number) =>
  sql`insert into marks values (${number}, pg_current_xact_id()::text::bigint)`.execute(trx);

function write(number: number, also: (trx: Trx) => Promise<unknown> = async () => {}): Promise<number> {
  return db.write(async (trx) => {
    db.afterCommit(trx, () => void followed.push(number));
    db.announce(trx, number);
    await mark(trx, number);
    await also(trx);
    return number;
  });
}

/** Writes at the same time: number 0 keeps the only connection until all others wait. */
async function writeTogether(works: readonly ((trx: Trx) => Promise<unknown>)[]) {
  await reset();
  const first = write(0, () => sleep(30));
  const outcomes = await Promise.allSettled(works.map((work, index) => write(index + 1, work)));
  await first;
  const stored = await storage.rows('select number, run from marks where number > 0 order by number');
  const succeeded = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index + 1] : []));
  return { outcomes, succeeded, stored, numbers: stored.map((row) => row['number']) };
}
/** Repeats `writeTogether` while the group is divided because the machine is slow, at most 20 times. */
async function writeInOneGroup(works: Parameters<typeof writeTogether>[0]) {
  for (let attempt = 1; ; attempt++) {
    const written = await writeTogether(works);
    const runs = new Set(written.stored.map(({ run }) => run)).size;
    if (runs === 1 || attempt === 20) return { ...written, runs };
  }
}
const well = async () => {};
const raise = (code: string) => (trx: Trx) =>
  sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`).execute(trx);
/** Calls `work` in the first run only. */
function inFirstRun(work: (trx: Trx) => Promise<unknown>) {
  let runs = 0;
  return async (trx: Trx) => (runs++ === 0 ? work(trx) : undefined);
}
const endOwnSession = async (trx: Trx): Promise<void> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  await admin.query(`select pg_terminate_backend(${rows[0]?.pid})`);
  // Sent with the commit only, the loss would leave the outcome unknown.
  await mark(trx, 99);
};

test('share a transaction, and are followed and announced in order', async () => {
  const { succeeded, runs } = await writeInOneGroup([well, well, well, well]);
  expect([runs, succeeded]).toEqual([1, [1, 2, 3, 4]]);
  expect(followed).toEqual([0, 1, 2, 3, 4]);
  await eventually(() => expect(heard).toEqual([0, 1, 2, 3, 4]));
});

describe('a failing write between two others', () => {
  const taken = sql`insert into marks values (1, 0)`;
  test.each([
    ['its own error', () => Promise.reject(new RangeError('no')), 'no'],
    ['a failed statement', (trx: Trx) => taken.execute(trx), 'marks_pkey'],
    [
      'a failed statement that it ignores',
      async (trx: Trx) => {
        await taken.execute(trx).catch(() => {});
      },
      'marks_pkey',
    ],
  ])('is undone alone after %s', async (_, failing, message) => {
    const { outcomes, numbers } = await writeInOneGroup([well, failing, well]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(String((outcomes[1] as PromiseRejectedResult).reason)).toContain(message);
    expect(numbers).toEqual([1, 3]);
    expect(followed).toEqual([0, 1, 3]);
    await eventually(() => expect(heard).toEqual([0, 1, 3]));
  });

  test.each([
    ['succeeds', well, [1, 3, 4]],
    ['sends a statement', (trx: Trx) => perform(trx, sql`select 1`), [1, 3, 4]],
    ['refuses', () => Promise.reject(new RangeError('no')), [1, 4]],
  ])(
    'is undone after a failed statement that it does not await, while the next one %s',
    async (_, next, expected) => {
      const failing = (trx: Trx) => perform(trx, taken);
      const { outcomes, numbers, succeeded } = await writeTogether([well, failing, next, well]);
      expect(String((outcomes[1] as PromiseRejectedResult).reason)).toContain('marks_pkey');
      expect([numbers, succeeded]).toEqual([expected, expected]);
      expect(followed).toEqual([0, ...expected]);
      await eventually(() => expect(heard).toEqual([0, ...expected]));
    },
  );

  test('is undone when it is the last of its group', async () => {
    const failing = (trx: Trx) => perform(trx, taken);
    const { outcomes, numbers } = await writeTogether([well, well, failing]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(numbers).toEqual([1, 2]);
    expect(followed).toEqual([0, 1, 2]);
  });

  test('sees the writes before it, and none that was undone', async () => {
    const seen: unknown[] = [];
    const look = async (trx: Trx) => {
      const { rows } = await sql`select number from marks where number > 0 order by number`.execute(trx);
      seen.push(rows.map((row) => (row as { number: number }).number));
    };
    await writeTogether([look, () => Promise.reject(new Error('no')), look]);
    expect(seen).toEqual([[1], [1, 3]]);
  });
});

describe('every write that succeeds is stored once', () => {
  test.each([
    ['a serialisation failure', inFirstRun(raise('40001'))],
    ['a deadlock', inFirstRun(raise('40P01'))],
    ['a session that ends', inFirstRun(endOwnSession)],
    ['a session that ends, which the write ignores', inFirstRun((trx) => endOwnSession(trx).catch(() => {}))],
  ])('after %s', async (_, fault) => {
    const { succeeded, numbers } = await writeTogether([well, fault, well, well]);
    expect(succeeded).toEqual([1, 2, 3, 4]);
    expect(numbers).toEqual([1, 2, 3, 4]);
    expect(new Set(followed)).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(followed).toHaveLength(5);
    await eventually(() => expect(new Set(heard)).toEqual(new Set([0, 1, 2, 3, 4])));
  });

  test('when one fails each time', async () => {
    const { outcomes, numbers } = await writeTogether([well, raise('40001'), well]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(StorageUnavailableError);
    expect(numbers).toEqual([1, 3]);
  });

  test('when a session turns out to be read-only', async () => {
    const { outcomes, numbers } = await writeTogether([well, raise('25006'), well]);
    expect(outcomes[1]).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
    expect(numbers).toEqual([1, 3]);
  });
});

test('a connection lost during the commit leaves all outcomes unknown but those of failed writes', async () => {
  const slow = (trx: Trx) => sql`insert into slow values (1)`.execute(trx);
  const failing = () => Promise.reject(new RangeError('mine'));
  const writing = writeTogether([well, slow, failing]);
  await eventually(async () => {
    const { rows } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where wait_event = 'PgSleep' and datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
  });
  const { outcomes, numbers, succeeded } = await writing;
  const unknown = { status: 'rejected', reason: { code: 'UNAVAILABLE', isOutcomeUnknown: true } };
  expect(outcomes.slice(1)).toMatchObject([unknown, { status: 'rejected', reason: { message: 'mine' } }]);
  // The first one may have been committed before, on a slow machine.
  expect(numbers).toEqual(succeeded);
  expect(followed).toEqual([0, 1, 2]);
});

test('one whose caller waits no longer is refused, and the others of its group are stored', async () => {
  const late = asRequest(async () => {
    // Leaves it half a second.
    await waiting(() => sleep(3_500));
    return write(1, () => sleep(1_500));
  });
  await sleep(3_300);
  const first = asRequest(() => write(0, () => sleep(400)));
  // Has run, in the same transaction, when the late one must end.
  const early = asRequest(() => write(2));
  await sleep(300);
  const last = asRequest(() => write(3));
  const outcomes = await Promise.allSettled([late, early, last]);
  await first;
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'UNAVAILABLE', isOutcomeUnknown: false } },
    { status: 'fulfilled', value: 2 },
    { status: 'fulfilled', value: 3 },
  ]);
  const stored = await storage.rows('select number from marks order by number');
  expect(stored.map(({ number }) => number)).toEqual([0, 2, 3]);
});

test('a request does not wait for the write of a job that comes after it', async () => {
  const first = write(0, () => sleep(20));
  const request = asRequest(() => write(1));
  const job = write(2, () => request);
  expect(await Promise.all([first, request, job])).toEqual([0, 1, 2]);
});

test('a write aside does not wait for another write, and is announced', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const other = write(1, () => promise);
  await eventually(async () => {
    const lock = `select from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and granted and datname = current_database()`;
    expect((await admin.query(lock)).rowCount).toBe(1);
  });
  await db.writeAside(async (trx) => {
    db.announce(trx, 2);
    await mark(trx, 2);
  });
  expect(await storage.rows('select number from marks')).toEqual([{ number: 2 }]);
  resolve();
  await other;
  await eventually(() => expect(heard).toEqual([2, 1]));
});

test('writers of several processes run sequentially', async () => {
  await admin.query('insert into marks values (0, 0)');
  // Reads, then writes: if two processes ran at the same time, one increment would be lost.
  const increment = (at: Database) =>
    at.write(async (trx) => {
      const { rows } = await sql<{ run: number }>`select run from marks where number = 0`.execute(trx);
      await sql`update marks set run = ${Number(rows[0]?.run) + 1} where number = 0`.execute(trx);
    });
  await Promise.all(Array.from({ length: 200 }, (_, index) => increment(index % 2 ? db : other)));
  expect(await storage.rows('select run from marks')).toEqual([{ run: 200 }]);
});

test('a killed process has stored every write that it reported', PATIENT, async () => {
  for (let round = 0; round < KILLS; round++) {
    await admin.query('truncate marks');
    const child = spawn(process.execPath, [WRITER, storage.settings['DATABASE_URL'] ?? ''], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const reported: number[] = [];
    for await (const line of createInterface(child.stdout))
      if (reported.push(Number(line)) === 100 + 37 * round) child.kill('SIGKILL');
    await ended;
    // The server notices the lost connection, and rolls back what was not committed.
    const sessions = "select count(*) from pg_stat_activity where application_name = 'moye-writer'";
    await eventually(async () => expect(await storage.count(sessions)).toBe(0));
    const stored = new Set((await storage.rows('select number from marks')).map(({ number }) => number));
    expect(reported.length).toBeGreaterThanOrEqual(100);
    expect(reported.filter((number) => !stored.has(number))).toEqual([]);
  }
});
