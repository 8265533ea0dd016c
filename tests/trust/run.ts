import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from '../../tools/browser.mjs';
import { ensureBuilt } from '../../tools/build.mjs';
import { inRoot, root } from '../../tools/project.mjs';
import { tryDefences } from './defences.ts';
import { promises, trialsOf, type TrustPromise } from './promises.ts';
import { failedIn, sumUp, tableOf, type Result } from './table.ts';
import { runTrial, type Outcome } from './vitest.ts';

/**
 * `npm run trust` tries to break each promise of promises.ts and prints one table. `--short` runs the same
 * number of trials as `npm test`, `--only races,kills` selects promises, `--seed 7` changes the random
 * choices, and `--resume` skips promises that an earlier run with the same commit and seed has finished.
 */
const options = {
  short: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  seed: { type: 'string' },
  resume: { type: 'boolean' },
} as const;
const { values } = parseArgs({ options });
const isShort = values.short ?? false;
const only = values.only?.flatMap((names) => names.split(','));
const unknown = only?.filter((name) => !Object.hasOwn(promises, name)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(', ')}; there are: ${Object.keys(promises).join(', ')}\n`);
  process.exit(1);
}

interface Kept {
  commit: string;
  seed: number;
  isShort: boolean;
  results: Result[];
}

const folder = inRoot('test-results', 'trust');
const file = join(folder, 'results.json');
const commit = git('rev-parse', '--short', 'HEAD');
const before = values.resume ? readKept() : null;
const seed = Number(values.seed ?? before?.seed ?? Math.floor(Math.random() * 1_000_000));
const isSame = before?.commit === commit && before.seed === seed && before.isShort === isShort;
const results: Result[] = isSame ? before.results : [];
const done = new Set(results.map(({ name }) => name));

process.stdout.write(`seed ${seed}, ${isShort ? 'short' : 'long'}; logs and results in test-results/trust\n`);
mkdirSync(folder, { recursive: true });
process.env['TRUST_SEED'] = String(seed);
const chosen = Object.entries(promises).filter(
  ([name, promise]) =>
    (only?.includes(name) ?? true) &&
    !done.has(name) &&
    (promise.hasDefences || trialsOf(promise, isShort).length > 0),
);
if (chosen.some(([, promise]) => trialsOf(promise, isShort).some(({ project }) => project === 'e2e')))
  await ensureBrowser();
await ensureBuilt();
for (const [name, promise] of chosen) {
  results.push(await keepTrying(name, promise));
  writeFileSync(file, JSON.stringify({ commit, seed, isShort, results } satisfies Kept, null, 2));
  writeFileSync(join(folder, 'table.md'), tableOf(results, seed, commit));
}
process.stdout.write(`\n${tableOf(results, seed, commit)}`);
process.exitCode = failedIn(results) > 0 ? 1 : 0;

async function keepTrying(name: string, promise: TrustPromise): Promise<Result> {
  const log = join(folder, `${name}.log`);
  rmSync(log, { force: true });
  const outcomes: Outcome[] = [];
  const note = (what: string, outcome: Outcome) => {
    outcomes.push(outcome);
    const { passed, failed, seconds } = outcome;
    process.stdout.write(`${name}: ${what}: ${passed} passed, ${failed} failed, ${seconds} s\n`);
    for (const failure of outcome.failures) process.stdout.write(`  ${failure}\n`);
  };
  for (const trial of trialsOf(promise, isShort))
    note(`${trial.files.join(' ')} on ${trial.engine}`, await runTrial(root, trial, log));
  if (promise.hasDefences) note('each defence switched off', await tryDefences({ isShort, seed, log }));
  const goals = Object.entries(promise.goals)
    .map(([unit, goal]) => [unit, isShort ? goal.short : goal.long] as const)
    .filter(([, goal]) => goal > 0);
  const add = (key: 'passed' | 'failed' | 'seconds') => outcomes.reduce((sum, each) => sum + each[key], 0);
  return {
    name,
    says: promise.says,
    rows: sumUp(
      Object.fromEntries(goals),
      outcomes.flatMap(({ tallies }) => tallies),
      { passed: add('passed'), failed: add('failed') },
    ),
    failures: outcomes.flatMap(({ failures }) => failures),
    seconds: add('seconds'),
  };
}

function readKept(): Kept | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    return null;
  }
}

function git(...words: string[]): string {
  return spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout?.trim() || 'unknown';
}
