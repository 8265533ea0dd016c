import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database, Trx } from '../../src/lib/server/db/database.ts';
import { perform } from '../../src/lib/server/db/perform.ts';
import { prepare } from '../../src/lib/server/db/prepared.ts';
import { openSqlite } from '../../src/lib/server/db/sqlite/sqlite.ts';
import { asRequest } from '../../src/lib/server/storage/storage.ts';
import { copyTemplate } from '../sqlite-template.ts';

/** Writes that are committed together: whatever happens to one, each is stored if and only if it succeeds. */
let folder: string;
let db: Database;
/** Sees only what is committed. */
let other: DatabaseSync;
let followed: number[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moye-group-'));
  await copyTemplate(folder);
  const file = join(folder, 'moye.sqlite');
  db = await openSqlite(file, undefined, { writesPerCommit: 4 });
  await db.write((trx) =>
    sql`create table marks (number integer primary key, of text references users)`.execute(trx),
  );
  other = new DatabaseSync(file, { readOnly: true });
  followed = [];
});
afterEach(async () => {
  other.close();
  await db.close();
  rmSync(folder, { recursive: true });
});

const stored = (): unknown[] =>
  other
    .prepare('select number from marks order by number')
    .all()
    .map(({ number }) => number);

const write = (number: number, also: (trx: Trx) => Promise<unknown> = async () => {}): Promise<number> =>
  db.write(async (trx) => {
    db.afterCommit(trx, () => void followed.push(number));
    await sql`insert into marks (number) values (${number})`.execute(trx);
    await also(trx);
    return number;
  });

const findUser = prepare((db, { id }: { id: string }) =>
  db.selectFrom('users').select('id').where('id', '=', id),
);

const seenBy = (seen: unknown[][]) => async () => void seen.push(stored());

test('writes that wait are committed together, and followed in order', async () => {
  const seen: unknown[][] = [];
  const numbers = [1, 2, 3, 4, 5, 6];
  expect(await Promise.all(numbers.map((number) => write(number, seenBy(seen))))).toEqual(numbers);
  expect(seen).toEqual([[], [], [], [], [1, 2, 3, 4], [1, 2, 3, 4]]);
  expect(stored()).toEqual(numbers);
  expect(followed).toEqual(numbers);
});

test.each([
  ['its own error', () => Promise.reject(new RangeError('no')), 'no'],
  ['a failed statement', (trx: Trx) => sql`insert into marks values (1, null)`.execute(trx), 'marks.number'],
  [
    'a failed commit',
    async (trx: Trx) => {
      await sql`pragma defer_foreign_keys = on`.execute(trx);
      await sql`insert into marks values (9, 'nobody')`.execute(trx);
    },
    'FOREIGN KEY',
  ],
])('a write that fails because of %s is undone alone', async (_, failing, message) => {
  const outcomes = await Promise.allSettled([write(1), write(2, failing), write(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(String((outcomes[1] as PromiseRejectedResult).reason)).toContain(message);
  expect(stored()).toEqual([1, 3]);
  expect(followed).toEqual([1, 3]);
});

test.each([
  ['built by Kysely', (trx: Trx) => sql`select 1`.execute(trx)],
  ['performed', (trx: Trx) => perform(trx, sql`insert into marks (number) values (8)`)],
  ['prepared', (trx: Trx) => findUser(trx, { id: '' })],
])('a long write lets other work run before a statement that is %s', async (_, next) => {
  const seen: string[] = [];
  await write(7, async (trx) => {
    setImmediate(() => void seen.push('other work'));
    const started = performance.now();
    while (performance.now() - started < 10);
    await next(trx);
    seen.push('statement');
  });
  expect(seen).toEqual(['other work', 'statement']);
  expect(stored()).toContain(7);
});

test('a request does not share a transaction with a job that comes after it', async () => {
  const seen: unknown[][] = [];
  await Promise.all([asRequest(() => write(1)), asRequest(() => write(2)), write(3, seenBy(seen))]);
  expect(seen).toEqual([[1, 2]]);
});

test('a write of another process is waited for, and refuses all that wait after five seconds', async () => {
  const holder = new DatabaseSync(join(folder, 'moye.sqlite'));
  holder.exec('begin immediate');
  const outcomes = await Promise.allSettled([write(1), write(2)]);
  holder.close();
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'UNAVAILABLE', retryAfter: 2 } },
    { status: 'rejected', reason: { code: 'UNAVAILABLE', retryAfter: 2 } },
  ]);
  expect(await write(1)).toBe(1);
});
