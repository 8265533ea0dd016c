import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Database } from '../../src/lib/server/db/database.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { createStorage, type TestStorage } from '../engine.ts';

/** Announcements of one process with its commits, and what it and another process receive. */
const quiet = { info: () => {}, warn: () => {} };
let storage: TestStorage;
let writer: Process;
let other: Process;

interface Process {
  db: Database;
  heard: unknown[];
  missed: number;
}

async function open(): Promise<Process> {
  const db = await openPostgres(storage.settings['DATABASE_URL'] ?? '', { connections: 2, log: quiet });
  const process: Process = { db, heard: [], missed: 0 };
  await db.notices?.listen({
    onNotice: (notice) => void process.heard.push(notice),
    onGap: () => void process.missed++,
  });
  return process;
}

beforeEach(async () => {
  storage = await createStorage('');
  writer = await open();
  other = await open();
});
afterEach(async () => {
  await writer.db.close();
  await other.db.close();
  await storage.remove();
});

const announce = (...notices: unknown[]) =>
  writer.db.write(async (trx) => notices.forEach((notice) => writer.db.announce(trx, notice)));

/** Announces one more notice and waits for it; all earlier ones have arrived by then. */
async function settle(): Promise<void> {
  await announce('last');
  await eventually(() => expect(other.heard.at(-1)).toBe('last'));
  other.heard.pop();
}

test('another process receives everything in order, the writer nothing', async () => {
  const notices = Array.from({ length: 200 }, (_, number) => ({ number, text: `“引号”'\\\0\n\ud800` }));
  for (const notice of notices.slice(0, 10)) await announce(notice);
  await announce(...notices.slice(10));
  await settle();
  expect(other.heard).toEqual(notices.map((notice) => JSON.parse(JSON.stringify(notice)) as unknown));
  expect(writer.heard).toEqual([]);
  expect([writer.missed, other.missed]).toEqual([1, 1]);
});

test('rolled back writes are not sent', async () => {
  const failing = writer.db.write(async (trx) => {
    writer.db.announce(trx, 'never');
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  await settle();
  expect(other.heard).toEqual([]);
});

test.each([
  ['one that is too long', ['长'.repeat(2700)]],
  ['far too many', Array.from({ length: 20_000 }, (_, number) => `article ${number} of very many`)],
])('%s: it is known that something was missed', async (_, notices) => {
  await announce('before');
  await announce(...notices);
  await settle();
  expect(other.heard).toEqual(['before']);
  expect(other.missed).toBe(2);
});

test('the longest possible notification is received', async () => {
  const notice = 'x'.repeat(7_890);
  await announce(notice);
  await settle();
  expect(other.heard).toEqual([notice]);
});

test('foreign payloads on the channel are ignored', async () => {
  const client = new Client(storage.settings['DATABASE_URL']);
  await client.connect();
  for (const payload of ['', 'nonsense', '{}', 'null', '{"from":"x","number":1,"notices":null}'])
    await client.query(`select pg_notify('moye', $1)`, [payload]);
  await client.end();
  await settle();
  expect(other.heard).toEqual([]);
  expect(other.missed).toBe(6);
});

test('a commit with a lost confirmation is handled in this process too', async () => {
  const done: string[] = [];
  const cut = new Client(storage.settings['DATABASE_URL']);
  await cut.connect();
  // A constraint trigger sleeps during the commit, until the connection is terminated.
  await cut.query(`create table slow (id integer);
    create function sleeping() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end';
    create constraint trigger slow after insert on slow deferrable initially deferred for each row execute function sleeping()`);
  const writing = writer.db.write(async (trx) => {
    await sql`insert into slow values (1)`.execute(trx);
    writer.db.announce(trx, 'perhaps');
    writer.db.afterCommit(trx, () => done.push('followed up'));
  });
  writing.catch(() => {});
  await eventually(async () => {
    const { rows } = await cut.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'notify moye,%' and datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
  });
  await expect(writing).rejects.toMatchObject({ isOutcomeUnknown: true });
  expect(done).toEqual(['followed up']);
  await cut.end();
});

test('after a lost connection, missed notifications are reported', async () => {
  await announce('before');
  await settle();
  await storage.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where (query like '%pg_listening_channels%' or query like 'notify moye_acks%')
       and datname = current_database() and pid <> pg_backend_pid()`,
  );
  await eventually(() => expect([writer.missed, other.missed]).toEqual([2, 2]));
  expect(other.db.notices?.numbers().losses).toBe(1);
  await eventually(() => expect(other.db.notices?.isCurrent()).toBe(true));
  await announce('after');
  await settle();
  expect(other.heard).toEqual(['before', 'after']);
  // A process never receives its own announcements, before or after the loss.
  expect(writer.heard).toEqual([]);
});
