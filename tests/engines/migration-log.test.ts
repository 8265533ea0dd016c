import { expect, test } from 'vitest';
import { migrate, MIGRATIONS, NEWEST_VERSION } from '../../src/lib/server/db/migrate.ts';
import type { Migration } from '../../src/lib/server/db/migration.ts';
import { openDatabase } from './open.ts';

const stepTo = (number: number): Migration => {
  const statement = `create table step_${number} (id integer)`;
  return { number, sqlite: [statement], postgres: [statement] };
};

test('the migrations that a process has run are one line of the log, once', async () => {
  const { db, close } = await openDatabase();
  const [next, last] = [NEWEST_VERSION + 1, NEWEST_VERSION + 2];
  const lines: unknown[] = [];
  const log = { info: (...line: unknown[]) => void lines.push(line) };
  const run = () => migrate(db.engine, db.write, [...MIGRATIONS, stepTo(next), stepTo(last)], log);
  await run();
  expect(lines).toEqual([[{ from: NEWEST_VERSION, to: last }, 'database migrated']]);
  await run();
  expect(lines).toHaveLength(1);
  await close();
});
