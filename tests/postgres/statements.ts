import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { askServer } from './databases.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

/** A line of the file of TEST_STATEMENTS: a test file, and the shape of a statement that it ran. */
export interface RanStatement {
  file: string;
  shape: string;
}

/** Statement without the numbers of its parameters and the lengths of its lists. */
const shapeOf = (statement: string): string =>
  statement
    .replace(/\$\d+/g, '$')
    .replace(/\s+/g, ' ')
    .replace(/\$(, \$)+/g, '$')
    .replace(/\(\$\)(, \(\$\))+/g, '($)');

const OF_DATABASE = '(select oid from pg_database where datname = $1)';

/** Starts to count the statements in a database; does nothing without TEST_STATEMENTS. */
export async function countStatements(database: string): Promise<void> {
  if (process.env['TEST_STATEMENTS'] === undefined) return;
  await askServer(`select pg_stat_statements_reset(0, ${OF_DATABASE}, 0)`, [database]);
}

/**
 * Appends the statements that the running test file ran in a database to the file of TEST_STATEMENTS; does
 * nothing without that variable.
 */
export async function noteStatements(database: string): Promise<void> {
  const target = process.env['TEST_STATEMENTS'];
  const { testPath } = expect.getState();
  if (target === undefined || testPath === undefined) return;
  const rows = await askServer(`select query from pg_stat_statements where dbid = ${OF_DATABASE}`, [
    database,
  ]);
  const file = relative(TESTS, testPath);
  const shapes = new Set(rows.map(({ query }) => shapeOf(String(query))));
  const lines = [...shapes].map((shape) => JSON.stringify({ file, shape } satisfies RanStatement));
  appendFileSync(target, lines.map((line) => `${line}\n`).join(''));
}
