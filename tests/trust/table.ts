import type { Tally } from '../trial.ts';

/** Required number of trials of a unit, in each form. */
export interface Goal {
  short: number;
  long: number;
}

export interface Result {
  name: string;
  says: string;
  /** One row per counted unit. */
  rows: { unit: string; tried: number; failed: number; note: string }[];
  failures: string[];
  seconds: number;
}

/**
 * Sums up the trials of a promise.
 * @param goals required number by unit; a unit below its goal counts as one failure
 * @param tests passed and failed tests: the unit `tests`, and failures that no test has tallied
 */
export function sumUp(
  goals: Readonly<Record<string, number>>,
  tallies: readonly Tally[],
  tests: { passed: number; failed: number },
): Result['rows'] {
  const rows = Object.entries(goals).map(([unit, goal]) => {
    const own = tallies.filter((tally) => tally.unit === unit);
    const isTests = unit === 'tests';
    const tried = isTests ? tests.passed + tests.failed : sum(own.map((tally) => tally.tried));
    const failed = isTests ? tests.failed : sum(own.map((tally) => tally.failed));
    const skipped = own.find((tally) => tally.skipped)?.skipped;
    if (skipped) return { unit, tried, failed, note: `skipped: ${skipped}` };
    if (tried >= goal) return { unit, tried, failed, note: '' };
    return { unit, tried, failed: failed + 1, note: `too few: ${goal} were to be tried` };
  });
  const [first] = rows;
  const counted = sum(rows.map(({ failed }) => failed));
  if (first && tests.failed > counted) first.failed += tests.failed - counted;
  return rows;
}

/** Formats the results as a Markdown table, followed by a line per failure. */
export function tableOf(results: readonly Result[], seed: number, commit: string): string {
  const lines = ['| promise | what is tried | tried | failed |', '| --- | --- | ---: | ---: |'];
  for (const { says, rows } of results)
    for (const [at, { unit, tried, failed, note }] of rows.entries())
      lines.push(
        `| ${at === 0 ? says : ''} | ${unit}${note && ` (${note})`} | ${tried.toLocaleString('en')} | ${failed} |`,
      );
  const failures = results.flatMap(({ name, failures }) => failures.map((line) => `${name}: ${line}`));
  const failed = failedIn(results);
  const seconds = sum(results.map((result) => result.seconds));
  const end = `${failed} failed; seed ${seed}, commit ${commit}, ${Math.ceil(seconds / 60)} minutes`;
  return [...lines, '', ...failures, end, ''].join('\n');
}

export const failedIn = (results: readonly Result[]): number =>
  sum(results.flatMap(({ rows }) => rows.map(({ failed }) => failed)));

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
