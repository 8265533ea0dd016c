// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { run } from './child.mjs';
import { compileCache, inRoot, projectNode, root, ToolError } from './project.mjs';

const projects = ['unit', 'engines', 'api', 'e2e', 'edge'];
const needBuild = ['api', 'e2e', 'edge'];
const needBrowser = ['e2e', 'edge'];
/**
 * Projects that run on each engine when none is named. The browser tests run on one engine, because pages
 * look the same on both.
 */
const onEngine = { sqlite: projects, postgres: ['engines', 'api'] };
const whenNamed = { sqlite: projects, postgres: ['engines', 'api', 'e2e'] };

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {'sqlite' | 'postgres'} Engine
 * @typedef {{ engine: Engine, projects: string[] }} Run
 * @typedef {object} Report the parts of vitest's JSON report that are read here
 * @property {{ name: string, status: string, message: string, assertionResults: TestReport[] }[]} testResults
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} TestReport
 */

/**
 * Splits the arguments of `npm test --` into runs (projects by engine) and arguments passed to vitest
 * unchanged (file filters, options).
 * @param {string[]} args project names, `--engine sqlite|postgres`, anything else
 * @returns {{ runs: Run[], rest: string[] }} all projects when none is named, both engines when none is named
 */
export function readSelection(args) {
  const place = args.indexOf('--engine');
  const engine = place < 0 ? undefined : args[place + 1];
  if (place >= 0 && engine !== 'sqlite' && engine !== 'postgres')
    throw new ToolError('--engine must be sqlite or postgres');
  const words = args.filter((_, index) => place < 0 || (index !== place && index !== place + 1));
  const named = projects.filter((project) => words.includes(project));
  const selected = named.length > 0 ? named : projects;
  const runs = /** @type {Engine[]} */ (engine ? [engine] : ['sqlite', 'postgres']).map((each) => ({
    engine: each,
    projects: selected.filter((project) => (engine ? whenNamed : onEngine)[each].includes(project)),
  }));
  return {
    runs: runs.filter((each) => each.projects.length > 0),
    rest: words.filter((word) => !projects.includes(word)),
  };
}

/**
 * @param {string[]} args arguments after `npm test --`
 * @returns {boolean} whether a selected project needs the edge adapters
 */
export const needsEdge = (args) =>
  readSelection(args).runs.some(({ projects: chosen }) => chosen.includes('edge'));

/**
 * Counts tests per project. A project is a folder of tests/.
 * @param {Report} report
 * @param {string} testsFolder absolute path of tests/
 * @returns {Map<string, Counts>} counts by project. A file that failed outside its tests (it did not load, or
 * a hook failed) and reports no failed test counts as one failure, because its tests did not run.
 */
export function countTests(report, testsFolder) {
  /** @type {Map<string, Counts>} */
  const counts = new Map();
  for (const file of report.testResults) {
    const project = relative(testsFolder, file.name).split(sep)[0] ?? '';
    const count = counts.get(project) ?? { passed: 0, failed: 0, skipped: 0 };
    const having = (/** @type {string} */ status) =>
      file.assertionResults.filter((test) => test.status === status).length;
    const failed = having('failed');
    count.passed += having('passed');
    count.failed += failed > 0 || file.status !== 'failed' ? failed : 1;
    count.skipped += file.assertionResults.length - having('passed') - failed;
    counts.set(project, count);
  }
  return counts;
}

/**
 * Lists the failures, to be printed at the end of a long log.
 * @param {Report} report
 * @param {string} testsFolder absolute path of tests/
 * @returns {string[]} for each failed test its file, full name and the first line of the error; for a file
 * that failed outside its tests the file and the error
 */
export function nameFailures(report, testsFolder) {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(testsFolder, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`failed: ${file}: ${firstLine(message)}`];
    return failed.map((test) => lineFor('failed', file, test));
  });
}

/**
 * Lists tests that passed only when retried (vitest.config.ts says which projects retry).
 * @param {Report} report
 * @param {string} testsFolder absolute path of tests/
 * @returns {string[]} for each such test its file, full name and the first line of the first error
 */
export function nameFlaky(report, testsFolder) {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((test) => test.status === 'passed' && test.failureMessages.length > 0)
      .map((test) => lineFor('flaky', relative(testsFolder, name), test)),
  );
}

/** @param {string} what @param {string} file @param {TestReport} test */
const lineFor = (what, file, { fullName, failureMessages }) =>
  `${what}: ${file} > ${fullName}: ${firstLine(failureMessages[0])}`;

/** @param {string | undefined} text */
const firstLine = (text) => text?.split('\n', 1)[0] ?? '';

/**
 * @param {{ engine: Engine, counts: Map<string, Counts>, failures: string[], hasFailed: boolean }[]} results
 * one per run; `failures`: a line for each failed and each flaky test; `hasFailed`: the test runner itself
 * reported a failure
 * @returns {{ lines: string[], failed: number }} lines: the failures, one line per project and engine, one
 * per engine, then `N passed, M failed` (and `, K skipped` if any). A run that failed without a failed test
 * (an unhandled error, no report) counts as one failure.
 */
export function summarise(results) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines = results.flatMap(({ failures }) => failures);
  const sums = [];
  const rank = (/** @type {string} */ project) => projects.indexOf(project);
  for (const { engine, counts, hasFailed } of results) {
    const sum = { passed: 0, failed: 0, skipped: 0 };
    for (const [project, count] of [...counts].sort(([a], [b]) => rank(a) - rank(b))) {
      lines.push(lineOf(project, engine, count));
      add(sum, count);
    }
    if (hasFailed && sum.failed === 0) {
      lines.push(`the run on ${engine} failed outside of any test, see above`);
      sum.failed = 1;
    }
    sums.push(lineOf('all', engine, sum));
    add(total, sum);
  }
  return { lines: [...lines, ...sums, asText(total)], failed: total.failed };
}

/** @param {Counts} sum @param {Counts} count */
function add(sum, count) {
  sum.passed += count.passed;
  sum.failed += count.failed;
  sum.skipped += count.skipped;
}

/** @param {string} project @param {Engine} engine @param {Counts} count */
const lineOf = (project, engine, count) => `${project.padEnd(8)} ${engine.padEnd(9)} ${asText(count)}`;

/** @param {Counts} counts */
const asText = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * `npm test`: runs vitest over the selected projects, once per engine, prints the counts and exits with 1 on
 * any failure.
 * @param {string[]} args arguments after `npm test --`: project names, `--engine`, file filters, vitest
 * options
 */
export async function test(args) {
  const { runs, rest } = readSelection(args);
  const selected = runs.flatMap((each) => each.projects);
  if (selected.some((project) => needBrowser.includes(project))) await ensureBrowser();
  if (selected.some((project) => needBuild.includes(project))) await ensureBuilt();

  const results = [];
  for (const each of runs) {
    const result = await runOn(each, rest);
    results.push(result);
    // Stopping the tests also cancels the runs on the other engine.
    if (result.wasNotified) break;
  }
  const { lines, failed } = summarise(results);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/**
 * @param {Run} selection
 * @param {string[]} rest
 */
async function runOn({ engine, projects: chosen }, rest) {
  const folder = mkdtempSync(join(tmpdir(), 'moye-test-'));
  const reportFile = join(folder, 'report.json');
  const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs');
  const words = [...chosen.flatMap((project) => ['--project', project]), ...rest];
  // A file filter may match only files of the other engine.
  const reporting = [
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ];
  const { code, signal, wasNotified } = await run(projectNode(), [vitest, 'run', ...reporting, ...words], {
    // The tests' threads, servers and commands each load hundreds of files. WebAssembly strips their types,
    // and many threads doing so at once occasionally crash V8 (nodejs/node#64500).
    env: { NODE_COMPILE_CACHE: compileCache(), ...process.env, TEST_ENGINE: engine },
  });
  const report = readReport(reportFile);
  rmSync(folder, { recursive: true, force: true });
  const testsFolder = join(root, 'tests');
  const { testResults } = report ?? { testResults: [] };
  const counts = countTests({ testResults }, testsFolder);
  const failures = [nameFlaky, nameFailures].flatMap((names) => names({ testResults }, testsFolder));
  return { engine, counts, failures, hasFailed: code !== 0 || signal !== null || !report, wasNotified };
}

/** @param {string} file @returns {Report | null} null when vitest did not write the report */
function readReport(file) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
