import { Client } from 'pg';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database, Trx } from '../../src/lib/server/db/database.ts';
import { perform } from '../../src/lib/server/db/perform.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { asRequest, StorageUnavailableError } from '../../src/lib/server/storage/storage.ts';
import { createStorage, type TestStorage } from '../engine.ts';

/** Write transactions that the server rolls back, whose session it ends, or that it keeps waiting. */
let storage: TestStorage;
let db: Database;
let admin: Client;
let runs: number;
let told: number;
/** The same value as in postgres-writes.ts. */
const WRITE_LOCK = 0x6d6f7965;
const quiet = { info: () => {}, warn: () => {} };
beforeAll(async () => {
  storage = await createStorage('');
  const url = storage.settings['DATABASE_URL'] ?? '';
  db = await openPostgres(url, { connections: 4, log: quiet });
  admin = new Client(url);
  admin.on('error', () => {});
  await admin.connect();
});
afterAll(async () => {
  await db?.close();
  await admin?.end();
  await storage?.remove();
});
beforeEach(async () => {
  [runs, told] = [0, 0];
  await admin.query('update counters set value = 0');
});

const users = () => storage.count("select value from counters where name = 'users'");
const add = (trx: Trx, value: number) =>
  trx
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', value) }))
    .where('name', '=', 'users')
    .execute();
/** Adds 1 and then 10; calls `between` only in the first run. */
const writeAround = (between: (trx: Trx) => Promise<unknown>) =>
  db.write(async (trx) => {
    runs++;
    db.afterCommit(trx, () => void told++);
    await add(trx, 1);
    if (runs === 1) await between(trx);
    await add(trx, 10);
    return runs;
  });
const pidOf = async (trx: Trx) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)).rows[0]?.pid;

test('a session that ends mid-transaction: the write happens once, and notifies once', async () => {
  const result = await writeAround(async (trx) =>
    admin.query(`select pg_terminate_backend(${await pidOf(trx)})`),
  );
  expect([result, runs, told, await users()]).toEqual([2, 2, 1, 11]);
});

test.each(['40001', '40P01'])('a transaction rolled back with %s runs again', async (code) => {
  const raise = `do $$ begin raise exception 'again' using errcode = '${code}'; end $$`;
  await writeAround((trx) => sql.raw(raise).execute(trx));
  expect([runs, told, await users()]).toEqual([2, 1, 11]);
});

test('both sides of a deadlock succeed', async () => {
  await admin.query("begin; update counters set value = value where name = 'listed_tags'");
  const writing = writeAround(async (trx) => {
    const theirs = admin.query("update counters set value = value + 100 where name = 'users'; commit");
    const ours = sql`update counters set value = value + 1 where name = 'listed_tags'`.execute(trx);
    // The server aborts one of the two, and the other continues.
    const [, given] = await Promise.allSettled([theirs, ours]);
    if (given.status === 'rejected') throw given.reason;
  });
  await writing;
  await admin.query('rollback');
  expect([0, 100]).toContain((await users()) - 11);
  expect(told).toBe(1);
});

test('a persistent failure gives up and leaves no trace', async () => {
  const failing = db.write(async (trx) => {
    runs++;
    db.afterCommit(trx, () => void told++);
    await add(trx, 1);
    await sql.raw("do $$ begin raise exception 'again' using errcode = '40001'; end $$").execute(trx);
  });
  await expect(failing).rejects.toBeInstanceOf(StorageUnavailableError);
  expect(runs).toBeGreaterThan(1);
  expect([told, await users()]).toEqual([0, 0]);
});

test('an error thrown by the work is thrown once and leaves no trace', async () => {
  const failing = db.write(async (trx) => {
    runs++;
    await add(trx, 1);
    throw new RangeError('mine');
  });
  await expect(failing).rejects.toThrow(new RangeError('mine'));
  expect([runs, await users()]).toEqual([1, 0]);
});

test('constraint names match the other engine’s, and their errors contain no values', async () => {
  const insert = (trx: Trx) => trx.insertInto('counters').values({ name: 'users', value: 1 }).execute();
  const error: unknown = await db.write(insert).catch((thrown: unknown) => thrown);
  expect(db.violation(error)).toEqual({ kind: 'unique', constraint: 'counters_name' });
  expect(JSON.stringify(error)).not.toContain('already exists');
});

test('writers of several processes run sequentially', async () => {
  const other = await openPostgres(storage.settings['DATABASE_URL'] ?? '', { connections: 2, log: quiet });
  // Reads, then writes: if two processes ran at the same time, one increment would be lost.
  const increment = (at: Database) =>
    at.write(async (trx) => {
      const { value } = await trx
        .selectFrom('counters')
        .select('value')
        .where('name', '=', 'users')
        .executeTakeFirstOrThrow();
      await trx
        .updateTable('counters')
        .set({ value: value + 1 })
        .where('name', '=', 'users')
        .execute();
    });
  await Promise.all(Array.from({ length: 200 }, (_, index) => increment(index % 2 ? db : other)));
  await other.close();
  expect(await users()).toBe(200);
});

test('a request waiting for another process’s writer is refused in time, and the queue continues', async () => {
  await admin.query(`begin; select pg_advisory_xact_lock(${WRITE_LOCK})`);
  const started = performance.now();
  const waiting = Array.from({ length: 3 }, () => asRequest(() => db.write((trx) => add(trx, 1))));
  for (const outcome of await Promise.allSettled(waiting))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE', status: 503 } });
  expect(performance.now() - started).toBeLessThan(5000);
  await admin.query('rollback');
  await asRequest(() => db.write((trx) => add(trx, 1)));
  expect(await users()).toBe(1);
});

test('reads refuse to write', async () => {
  const writing = db.read.updateTable('counters').set({ value: 7 }).execute();
  await expect(writing).rejects.toThrow('read-only');
  expect(await users()).toBe(0);
});

describe('statements that are not awaited', () => {
  const rename = (trx: Trx, value: number) =>
    perform(trx, trx.updateTable('counters').set({ value }).where('name', '=', 'public_articles'));
  /** Violates the table's key. */
  const repeat = (trx: Trx) =>
    perform(trx, trx.insertInto('counters').values({ name: 'public_articles', value: 1 }));

  test('are done in order, before the commit', async () => {
    const seen = await db.write(async (trx) => {
      for (const value of [1, 2, 3]) await rename(trx, value);
      const query = trx.selectFrom('counters').select('value').where('name', '=', 'public_articles');
      const { value } = await query.executeTakeFirstOrThrow();
      await rename(trx, 4);
      return value;
    });
    expect(seen).toBe(3);
    expect(await storage.count(`select value from counters where name = 'public_articles'`)).toBe(4);
  });

  test.each([
    ['by the next that is waited for', (trx: Trx) => add(trx, 1)],
    ['by the commit', async () => {}],
  ])('that fail roll the transaction back, with their own error, thrown %s', async (_, next) => {
    let isTold = false;
    const writing = db.write(async (trx) => {
      db.afterCommit(trx, () => void (isTold = true));
      await rename(trx, 99);
      await repeat(trx);
      await rename(trx, 100);
      await next(trx);
    });
    const error: unknown = await writing.catch((reason: unknown) => reason);
    expect(db.violation(error)).toMatchObject({ kind: 'unique' });
    expect(isTold).toBe(false);
    expect(await users()).toBe(0);
    expect(await storage.count(`select count(*) from counters where value > 90`)).toBe(0);
    await db.write((trx) => add(trx, 1));
    expect(await users()).toBe(1);
  });
});
