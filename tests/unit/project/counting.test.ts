import { describe, expect, test } from 'vitest';
import {
  countTests,
  nameFailures,
  nameFlaky,
  needsEdge,
  readSelection,
  summarise,
} from '../../../tools/test.mjs';

const file = (
  name: string,
  statuses: string[],
  status = statuses.includes('failed') ? 'failed' : 'passed',
) => ({
  name: `/p/tests/${name}`,
  status,
  message: status === 'failed' ? 'it broke\nat line 1' : '',
  assertionResults: statuses.map((each, place) => ({
    status: each,
    fullName: `group test ${place}`,
    failureMessages: each === 'failed' ? ['expected 1 to be 2\nat line 2'] : [],
  })),
});

const ran = (engine: 'sqlite' | 'postgres', hasFailed: boolean, ...files: ReturnType<typeof file>[]) => ({
  engine,
  counts: countTests({ testResults: files }, '/p/tests'),
  failures: nameFailures({ testResults: files }, '/p/tests'),
  hasFailed,
});

describe('npm test', () => {
  test('reports failures, adds up the tests of each project and engine and ends with the total', () => {
    const results = [
      ran(
        'sqlite',
        true,
        file('unit/a.test.ts', ['passed', 'passed']),
        file('unit/deep/b.test.ts', ['passed', 'skipped']),
        file('api/c.test.ts', ['failed', 'passed']),
      ),
      ran('postgres', false, file('api/c.test.ts', ['passed', 'passed'])),
    ];
    expect(summarise(results)).toEqual({
      lines: [
        'failed: api/c.test.ts > group test 0: expected 1 to be 2',
        'unit     sqlite    3 passed, 0 failed, 1 skipped',
        'api      sqlite    1 passed, 1 failed',
        'api      postgres  2 passed, 0 failed',
        'all      sqlite    4 passed, 1 failed, 1 skipped',
        'all      postgres  2 passed, 0 failed',
        '6 passed, 1 failed, 1 skipped',
      ],
      failed: 1,
    });
  });

  test('reports tests that passed only at the second try, and counts them as passed', () => {
    const report = file('e2e/a.test.ts', ['passed', 'passed']);
    report.assertionResults[1]?.failureMessages.push('the button was not there\nat line 3');
    expect(nameFlaky({ testResults: [report] }, '/p/tests')).toEqual([
      'flaky: e2e/a.test.ts > group test 1: the button was not there',
    ]);
    expect(nameFailures({ testResults: [report] }, '/p/tests')).toEqual([]);
  });

  test('counts a file that cannot be loaded as a failure', () => {
    const { lines } = summarise([ran('sqlite', true, file('unit/a.test.ts', [], 'failed'))]);
    expect(lines[0]).toBe('failed: unit/a.test.ts: it broke');
    expect(lines.at(-1)).toBe('0 passed, 1 failed');
  });

  test('never reports success for a run that failed outside of its tests', () => {
    const well = ran('sqlite', false, file('api/a.test.ts', ['passed']));
    const { lines, failed } = summarise([well, ran('postgres', true, file('api/a.test.ts', ['passed']))]);
    expect([lines.at(-1), failed]).toEqual(['2 passed, 1 failed', 1]);
  });

  test('runs all projects on both engines by default, and passes other arguments to vitest', () => {
    expect(readSelection([])).toEqual({
      runs: [
        { engine: 'sqlite', projects: ['unit', 'engines', 'api', 'e2e', 'edge'] },
        { engine: 'postgres', projects: ['engines', 'api'] },
      ],
      rest: [],
    });
    expect(readSelection(['unit', 'markdown'])).toEqual({
      runs: [{ engine: 'sqlite', projects: ['unit'] }],
      rest: ['markdown'],
    });
    expect(readSelection(['--engine', 'postgres', '-t', 'x'])).toEqual({
      runs: [{ engine: 'postgres', projects: ['engines', 'api', 'e2e'] }],
      rest: ['-t', 'x'],
    });
    expect(() => readSelection(['--engine', 'oracle'])).toThrow('--engine must be sqlite or postgres');
  });

  test('needs the edge adapters only when its tests are selected', () => {
    expect(needsEdge([])).toBe(true);
    expect(needsEdge(['edge', 'front'])).toBe(true);
    expect(needsEdge(['unit', 'queue'])).toBe(false);
    expect(needsEdge(['e2e', '--engine', 'postgres'])).toBe(false);
  });
});
