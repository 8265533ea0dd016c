import { describe, expect, test } from 'vitest';
import { summarise, type FileResult } from '../../reporter.ts';

const file = (project: string, path: string, fields: Partial<FileResult> = {}): FileResult => ({
  project,
  file: path,
  passed: 0,
  failed: fields.failures?.length ?? 0,
  skipped: 0,
  seconds: 1,
  endedMs: 2_000,
  failures: [],
  flaky: [],
  ...fields,
});
/** Lines of the summary that name no time. */
const linesOf = (...args: Parameters<typeof summarise>) =>
  summarise(...args).lines.filter((line) => !/^(slow|time): /.test(line));

describe('the summary of npm test', () => {
  const failure = 'failed: api/c.test.ts > group test: expected 1 to be 2';

  test('reports failures, adds up the tests of each project and engine and ends with the total', () => {
    const results = [
      file('unit', 'unit/a.test.ts', { passed: 2 }),
      file('unit', 'unit/deep/b.test.ts', { passed: 1, skipped: 1 }),
      file('api', 'api/c.test.ts', { passed: 1, failures: [failure] }),
      file('api-postgres', 'api/c.test.ts', { passed: 2 }),
    ];
    expect(linesOf(results, true)).toEqual([
      failure,
      'unit     sqlite    3 passed, 0 failed, 1 skipped',
      'api      sqlite    1 passed, 1 failed',
      'api      postgres  2 passed, 0 failed',
      'all      sqlite    4 passed, 1 failed, 1 skipped',
      'all      postgres  2 passed, 0 failed',
      '6 passed, 1 failed, 1 skipped',
    ]);
    expect(summarise(results, true).outcome).toEqual({
      passed: 6,
      failed: 1,
      skipped: 1,
      failures: [failure],
    });
  });

  test('begins with the ten slowest files', () => {
    const results = Array.from({ length: 12 }, (_, seconds) =>
      file('unit', `unit/${seconds}.test.ts`, { seconds }),
    );
    const slow = summarise(results, false).lines.filter((line) => line.startsWith('slow: '));
    expect(slow).toHaveLength(10);
    expect(slow[0]).toBe('slow: 11.0 s unit/11.test.ts (unit)');
  });

  test('names the seconds from the first start to the last end of each project', () => {
    const results = [
      file('unit', 'unit/a.test.ts', { seconds: 4, endedMs: 5_000 }),
      file('unit', 'unit/b.test.ts', { seconds: 2, endedMs: 9_000 }),
      file('api', 'api/c.test.ts', { seconds: 3, endedMs: 20_000 }),
    ];
    const times = summarise(results, false).lines.filter((line) => line.startsWith('time: '));
    expect(times).toEqual(['time: 8 s unit', 'time: 3 s api']);
  });

  test('names tests that passed only at the second try, and counts them as passed', () => {
    const flaky = ['flaky: e2e/a.test.ts > group test: the button was not there'];
    expect(linesOf([file('e2e', 'e2e/a.test.ts', { passed: 2, flaky })], false)).toEqual([
      ...flaky,
      'e2e      sqlite    2 passed, 0 failed',
      'all      sqlite    2 passed, 0 failed',
      '2 passed, 0 failed',
    ]);
  });

  test('never reports success for a run that failed outside of its tests', () => {
    const { lines, outcome } = summarise([file('api', 'api/a.test.ts', { passed: 1 })], true);
    expect([lines.at(-1), outcome.failed]).toEqual(['1 passed, 1 failed', 1]);
  });
});
