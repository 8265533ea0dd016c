// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { run } from './child.mjs';
import { inRoot, projectNode, root } from './project.mjs';

export const projects = ['unit', 'engines', 'api', 'e2e'];
const needBuild = ['api', 'e2e'];

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {object} Report what vitest's JSON reporter writes, as far as it is read here
 * @property {{ name: string, status: string, message: string, assertionResults: { status: string }[] }[]} testResults
 */

/**
 * Splits the words behind `npm test --` into projects and what vitest gets as it is (file filters, options).
 * @param {string[]} args
 * @returns {{ selected: string[], rest: string[] }} selected: all projects when none is named
 */
export function readSelection(args) {
  const named = projects.filter((project) => args.includes(project));
  return {
    selected: named.length > 0 ? named : projects,
    rest: args.filter((word) => !projects.includes(word)),
  };
}

/**
 * Counts tests per project, a project being a folder of tests/.
 * @param {Report} report
 * @param {string} testsFolder absolute path of tests/
 * @returns {Map<string, Counts>} A file that broke outside its tests (it cannot be loaded, a hook failed) and shows no
 *   failed test counts as one failure: its tests did not run.
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
 * @param {Map<string, Counts>} counts
 * @param {boolean} runFailed whether the test runner itself reported a failure
 * @returns {{ lines: string[], failed: number }} lines: one a project, then `N passed, M failed` (`, K skipped` when some
 *   were). A run that failed without a failed test (an unhandled error, no report) counts as one failure.
 */
export function summarise(counts, runFailed) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  const rank = (/** @type {string} */ project) => projects.indexOf(project);
  for (const [project, count] of [...counts].sort(([a], [b]) => rank(a) - rank(b))) {
    lines.push(`${project.padEnd(8)} ${asText(count)}`);
    total.passed += count.passed;
    total.failed += count.failed;
    total.skipped += count.skipped;
  }
  if (runFailed && total.failed === 0) {
    lines.push('the run itself failed outside of any test, see above');
    total.failed = 1;
  }
  return { lines: [...lines, asText(total)], failed: total.failed };
}

/** @param {Counts} counts */
const asText = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * `npm test`: runs vitest over the selected projects, prints the counts and ends with 1 on any failure.
 * @param {string[]} args what stands behind `npm test --`: project names, file filters, vitest options
 */
export async function test(args) {
  const { selected, rest } = readSelection(args);
  const env = { ...process.env };
  if (selected.includes('e2e')) env['CHROMIUM_PATH'] = await ensureBrowser();
  if (selected.some((project) => needBuild.includes(project))) await ensureBuilt();

  const folder = mkdtempSync(join(tmpdir(), 'moye-test-'));
  const reportFile = join(folder, 'report.json');
  const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs');
  const chosen = selected.flatMap((project) => ['--project', project]);
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code, signal } = await run(projectNode(), [vitest, 'run', ...reporting, ...chosen, ...rest], {
    env,
  });
  const report = readReport(reportFile);
  rmSync(folder, { recursive: true, force: true });

  const counts = countTests(report ?? { testResults: [] }, join(root, 'tests'));
  const { lines, failed } = summarise(counts, code !== 0 || signal !== null || !report);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** @param {string} file @returns {Report | null} null when vitest did not get as far as writing it */
function readReport(file) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
