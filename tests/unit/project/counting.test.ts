import { describe, expect, test } from 'vitest';
import { countTests, readSelection, summarise } from '../../../tools/test.mjs';

const file = (
  name: string,
  statuses: string[],
  status = statuses.includes('failed') ? 'failed' : 'passed',
) => ({
  name: `/p/tests/${name}`,
  status,
  message: '',
  assertionResults: statuses.map((each) => ({ status: each })),
});
const count = (...files: ReturnType<typeof file>[]) => countTests({ testResults: files }, '/p/tests');

describe('npm test', () => {
  test('adds up the tests of each project and ends with the total', () => {
    const counts = count(
      file('unit/a.test.ts', ['passed', 'passed']),
      file('unit/deep/b.test.ts', ['passed', 'skipped']),
      file('api/c.test.ts', ['failed', 'passed']),
    );
    expect(summarise(counts, true)).toEqual({
      lines: [
        'unit     3 passed, 0 failed, 1 skipped',
        'api      1 passed, 1 failed',
        '4 passed, 1 failed, 1 skipped',
      ],
      failed: 1,
    });
  });

  test('counts a file that cannot be loaded as a failure', () => {
    expect(summarise(count(file('unit/a.test.ts', [], 'failed')), true).lines.at(-1)).toBe(
      '0 passed, 1 failed',
    );
  });

  test('never reports success for a run that failed outside of its tests', () => {
    const { lines, failed } = summarise(count(file('unit/a.test.ts', ['passed'])), true);
    expect([lines.at(-1), failed]).toEqual(['1 passed, 1 failed', 1]);
  });

  test('runs all projects unless some are named, and hands other words to vitest', () => {
    expect(readSelection([])).toEqual({ selected: ['unit', 'engines', 'api', 'e2e'], rest: [] });
    expect(readSelection(['unit', 'markdown'])).toEqual({ selected: ['unit'], rest: ['markdown'] });
  });
});
