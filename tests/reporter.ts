import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule, TestSequencer, TestSpecification } from 'vitest/node';

const TESTS = fileURLToPath(new URL('.', import.meta.url));
const SECONDS = new URL('./seconds.json', import.meta.url);
/** Time between two lines of progress. */
const PROGRESS_MS = 15_000;
const SLOWEST = 10;
/** Estimate for a file that has not been recorded. */
const UNKNOWN_S = 3;

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Result of a run, for programs that start vitest; written to the file of TEST_OUTCOME. */
export interface Outcome extends Counts {
  /** One line per failed test, or per file that failed outside its tests. */
  failures: string[];
}

/** A test file in one project, as the summary sees it. */
export interface FileResult extends Counts {
  /** Name of the vitest project: a folder of tests/, with `-postgres` on that engine. */
  project: string;
  /** Path relative to tests/. */
  file: string;
  seconds: number;
  /** Time of its end, in milliseconds since the epoch. */
  endedMs: number;
  failures: string[];
  /** One line per test that passed only when retried (vitest.config.ts says which projects retry). */
  flaky: string[];
}

/** Seconds that each file took when `TEST_RECORD=1` last ran, by project and path. */
export const recordedSeconds = (): Record<string, number> =>
  JSON.parse(readFileSync(SECONDS, 'utf8')) as Record<string, number>;

/** Key of a file in `recordedSeconds`. */
const keyOf = ({ project, moduleId }: TestSpecification): string =>
  `${project.name}:${relative(TESTS, moduleId)}`;

/** Starts the files that took longest first, so that a project does not end with one of them. */
export class LongestFirst implements TestSequencer {
  readonly #seconds = recordedSeconds();

  sort(files: TestSpecification[]): TestSpecification[] {
    const secondsOf = (file: TestSpecification): number => this.#seconds[keyOf(file)] ?? UNKNOWN_S;
    return files.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }

  /** Called for `--shard` only, which `npm test` does not use. */
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/**
 * Prints progress while tests run (project, files done, expected end), and at the end the slowest files, the
 * failures and the number of tests by project and engine. The last line is `N passed, M failed`, and
 * `, K skipped` if any.
 */
export function createReporter(): Reporter {
  const known = recordedSeconds();
  const results: FileResult[] = [];
  const totals = new Map<string, number>();
  let [weight, doneWeight, started, printed] = [0, 0, 0, 0];

  function report(project: string): void {
    const now = Date.now();
    if (now - printed < PROGRESS_MS) return;
    printed = now;
    const done = results.filter((each) => each.project === project).length;
    const end = new Date(now + ((now - started) * (weight - doneWeight)) / doneWeight);
    const clock = end.toTimeString().slice(0, 5);
    const all = [...totals.values()].reduce((sum, count) => sum + count, 0);
    const counts = `${project} ${done} of ${totals.get(project)} files, ${results.length} of ${all} in all`;
    process.stdout.write(`[moye] ${counts}, ends about ${clock}\n`);
  }

  const weightOf = (key: string): number => known[key] ?? UNKNOWN_S;
  return {
    onTestRunStart(specifications) {
      started = Date.now();
      for (const specification of specifications) {
        const { name } = specification.project;
        totals.set(name, (totals.get(name) ?? 0) + 1);
        weight += weightOf(keyOf(specification));
      }
    },
    onTestModuleEnd(module) {
      const result = resultOf(module);
      results.push(result);
      doneWeight += weightOf(`${result.project}:${result.file}`);
      report(result.project);
    },
    onTestRunEnd(_modules, unhandled, reason) {
      const hasFailedOutside = reason === 'failed' || unhandled.length > 0;
      const { lines, outcome } = summarise(results, hasFailedOutside);
      process.stdout.write(`\n${lines.join('\n')}\n`);
      const file = process.env['TEST_OUTCOME'];
      if (file) writeFileSync(file, JSON.stringify(outcome));
      if (process.env['TEST_RECORD']) record(known, results);
    },
  };
}

function record(known: Record<string, number>, results: readonly FileResult[]): void {
  const fresh = results.map(({ project, file, seconds }) => [`${project}:${file}`, Math.ceil(seconds)]);
  const all = Object.entries({ ...known, ...Object.fromEntries(fresh) });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(SECONDS, `${JSON.stringify(sorted, null, 2)}\n`);
}

function resultOf(module: TestModule): FileResult {
  const file = relative(TESTS, module.moduleId);
  const tests = [...module.children.allTests()];
  const having = (state: string) => tests.filter((test) => test.result().state === state);
  const failed = having('failed');
  const failures = failed.map((test) => lineFor('failed', file, test));
  // The file did not load, or a hook failed: its tests did not run, which counts as one failure.
  if (failed.length === 0 && module.state() === 'failed')
    failures.push(`failed: ${file}: ${firstLine(errorOf(module)?.message)}`);
  const flaky = having('passed').filter((test) => test.diagnostic()?.flaky);
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return {
    project: module.project.name,
    file,
    passed: having('passed').length,
    failed: failures.length,
    // Tests with a tag are in the other part of the tests (tests/selection.ts).
    skipped: having('skipped').filter(({ tags }) => tags.length === 0).length,
    seconds: (collectDuration + setupDuration + duration) / 1000,
    endedMs: Date.now(),
    failures,
    flaky: flaky.map((test) => lineFor('flaky', file, test)),
  };
}

function errorOf(module: TestModule) {
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return [...module.errors(), ...suites][0];
}

/** Returns a line with the place in the test file, if the error came from there. */
function lineFor(what: string, file: string, test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const place = error?.stacks?.find((each) => each.file === test.module.moduleId);
  return `${what}: ${file}${place ? `:${place.line}` : ''} > ${test.fullName}: ${firstLine(error?.message)}`;
}

const firstLine = (text: string | undefined): string => text?.split('\n', 1)[0] ?? '';

/**
 * Sums up a run.
 * @param hasFailed whether vitest itself reported a failure; without a failed test it counts as one
 * @returns lines: the slowest files, the time of each project, flaky and failed tests, the counts by project
 * and engine, by engine, and in total
 */
export function summarise(
  results: readonly FileResult[],
  hasFailed: boolean,
): { lines: string[]; outcome: Outcome } {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const failures = results.flatMap((each) => each.failures);
  if (hasFailed && failures.length === 0) failures.push('the run failed outside of any test, see above');
  const total = { ...sumOf(results), failed: failures.length };
  const counted = (title: string, engine: string, chosen: readonly FileResult[]) =>
    chosen.length > 0 ? [`${title.padEnd(8)} ${engine.padEnd(9)} ${asText(sumOf(chosen))}`] : [];
  const on = (engine: string) => results.filter(({ project }) => engineOf(project) === engine);
  return {
    lines: [
      ...slowest.map(({ project, file, seconds }) => `slow: ${seconds.toFixed(1)} s ${file} (${project})`),
      ...byProject(results).map(([project, chosen]) => `time: ${secondsFrom(chosen)} s ${project}`),
      ...results.flatMap(({ flaky }) => flaky),
      ...failures,
      ...byProject(results).flatMap(([project, chosen]) =>
        counted(project.replace('-postgres', ''), engineOf(project), chosen),
      ),
      ...['sqlite', 'postgres'].flatMap((engine) => counted('all', engine, on(engine))),
      asText(total),
    ],
    outcome: { ...total, failures },
  };
}

const byProject = (results: readonly FileResult[]): [project: string, results: readonly FileResult[]][] =>
  Object.entries(Object.groupBy(results, ({ project }) => project)).map(([name, chosen]) => [
    name,
    chosen ?? [],
  ]);

/** Seconds from the start of the first file to the end of the last one. */
function secondsFrom(results: readonly FileResult[]): number {
  const start = Math.min(...results.map(({ endedMs, seconds }) => endedMs - seconds * 1000));
  return Math.round((Math.max(...results.map(({ endedMs }) => endedMs)) - start) / 1000);
}

const engineOf = (project: string): string => (project.endsWith('-postgres') ? 'postgres' : 'sqlite');

function sumOf(counts: readonly Counts[]): Counts {
  const add = (name: keyof Counts) => counts.reduce((sum, each) => sum + each[name], 0);
  return { passed: add('passed'), failed: add('failed'), skipped: add('skipped') };
}

const asText = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
