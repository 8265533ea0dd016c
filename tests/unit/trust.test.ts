import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defences } from '../trust/defence-table.ts';
import { copyTree, problemOf, switchOff } from '../trust/defences.ts';
import { promises, trialsOf } from '../trust/promises.ts';
import { sumUp, tableOf } from '../trust/table.ts';
import { listFiles, readText, root } from './project/source-files.ts';

/** Rows of the threat tables in SECURITY.md: their cells, starting with the number. */
function rowsOfSecurity(): string[][] {
  const tables = readText('docs/SECURITY.md').split(/\n\n/);
  const threats = tables.filter((table) => /^\| # +\| threat /.test(table));
  return threats.flatMap((table) =>
    table
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, ...cells]) => cells)
      .filter(([first = '']) => first !== ''),
  );
}

describe('disabled defences', () => {
  test('exist word for word', () => {
    expect(defences.flatMap((defence) => problemOf(defence, root) ?? [])).toEqual([]);
  });

  test('have a test of that name', () => {
    const missing = defences.filter(({ tests, test }) => !listFiles('tests').includes(tests) || test === '');
    expect(missing).toEqual([]);
  });

  test('cover every row of SECURITY.md', () => {
    const rows = rowsOfSecurity();
    expect(rows.length).toBeGreaterThan(40);
    const numbers = rows.map(([number = '']) => number);
    expect(numbers.filter((number, at) => !/^\d+$/.test(number) || numbers.indexOf(number) !== at)).toEqual(
      [],
    );
    expect(defences.filter(({ row }) => !numbers.includes(row)).map(({ name }) => name)).toEqual([]);
    const isCovered = ([number]: string[]) => defences.some(({ row }) => row === number);
    expect(rows.filter((row) => !isCovered(row)).map((row) => row.slice(0, 2))).toEqual([]);
  });

  test('fail their test, and ineffective ones are reported', { timeout: 120_000 }, async () => {
    const [first] = defences.filter(({ tests }) => tests === 'tests/unit/shared/same-site-path.test.ts');
    if (!first) throw new Error('no defence to try');
    const copy = copyTree();
    try {
      const log = join(copy.root, 'log');
      expect(await switchOff(first, copy, log)).toBeNull();
      expect(await switchOff({ ...first, instead: first.text }, copy, log)).toMatch(/passed without it$/);
      expect(readFileSync(join(copy.root, first.file), 'utf8')).toBe(readText(first.file));
    } finally {
      copy.remove();
    }
  });
});

describe('promises', () => {
  test('name existing tests', () => {
    const files = Object.values(promises).flatMap((promise) =>
      trialsOf(promise, false).flatMap((trial) => trial.files),
    );
    expect(files.filter((file) => !listFiles('tests').includes(file))).toEqual([]);
  });

  test('count every race', () => {
    const files = ['tests/api/races.test.ts', 'tests/engines/races.test.ts'].map(readText);
    const races = files.flatMap((text) =>
      [...text.matchAll(/^ *race\('([^']+)'/gm)].map(([, name]) => `${name}`),
    );
    expect(races.toSorted()).toEqual(Object.keys(promises['races']?.goals ?? {}).toSorted());
  });

  test('fail on failures, and on fewer trials than required', () => {
    const goals = { kills: 10, tests: 1 };
    const tallies = [
      { unit: 'kills', tried: 7, failed: 1 },
      { unit: 'others', tried: 99, failed: 0 },
    ];
    const rows = sumUp(goals, tallies, { passed: 2, failed: 3 });
    expect(rows).toEqual([
      { unit: 'kills', tried: 7, failed: 2, note: 'too few: 10 were to be tried' },
      { unit: 'tests', tried: 5, failed: 3, note: '' },
    ]);
    const result = { name: 'a', says: 'A', rows, failures: ['b failed'], seconds: 61 };
    expect(tableOf([result], 7, 'abc').split('\n').slice(2)).toEqual([
      '| A | kills (too few: 10 were to be tried) | 7 | 2 |',
      '|  | tests | 5 | 3 |',
      '',
      'a: b failed',
      '5 failed; seed 7, commit abc, 2 minutes',
      '',
    ]);
  });

  test('count failures not tallied by a test, and report skipped trials', () => {
    expect(sumUp({ kills: 1 }, [{ unit: 'kills', tried: 1, failed: 0 }], { passed: 0, failed: 1 })).toEqual([
      { unit: 'kills', tried: 1, failed: 1, note: '' },
    ]);
    const skipped = { unit: 'kills', tried: 0, failed: 0, skipped: 'no standby here' };
    expect(sumUp({ kills: 5 }, [skipped], { passed: 0, failed: 0 })).toEqual([
      { unit: 'kills', tried: 0, failed: 0, note: 'skipped: no standby here' },
    ]);
  });
});
