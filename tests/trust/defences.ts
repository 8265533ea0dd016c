import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/project.mjs';
import { randomFrom } from '../trial.ts';
import type { Defence } from './defence.ts';
import { defences } from './defence-table.ts';
import { runTrial, type Outcome, type Trial } from './vitest.ts';

/** Everything that the tests read, except the packages. */
const COPIED = ['src', 'tests', 'tools', 'bench', 'public', 'docs', 'deploy', 'dist'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'].concat([
  'astro.config.mjs',
  'uno.config.ts',
  'README.md',
]);
/** Number of defences that a short run switches off, chosen from those with fast tests. */
const SHORT_SAMPLE = 6;
/** Without a defence against endless work, the test must fail instead of running forever. */
const TIMEOUT_MS = 300_000;

export interface Copy {
  root: string;
  remove(): void;
}

/** Copies the source tree, so defences can be removed from the copy. */
export function copyTree(): Copy {
  const copy = mkdtempSync(join(tmpdir(), 'moye-defences-'));
  const isWanted = (path: string) => !/\/(\.data|node_modules|\.astro)(\/|$)/.test(path);
  for (const folder of COPIED)
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isWanted });
  for (const file of FILES) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** Explains why the text of a defence cannot be replaced in `folder`, or returns null. */
export function problemOf({ file, text }: Defence, folder: string): string | null {
  const found = readFileSync(join(folder, file), 'utf8').split(text).length - 1;
  return found === 1 ? null : `${file} holds ${JSON.stringify(text)} ${found} times, not once`;
}

/**
 * Removes a defence from a copy of the tree, runs the test that must fail, and restores the defence.
 * @returns null when the test failed, otherwise a description of the problem
 */
export async function switchOff(defence: Defence, copy: Copy, log: string): Promise<string | null> {
  const problem = problemOf(defence, copy.root);
  if (problem) return problem;
  const path = join(copy.root, defence.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(defence.text, () => defence.instead),
  );
  try {
    const { failed, passed, failures } = await runTrial(copy.root, trialOf(defence), log);
    if (failed + passed === 0) return `no test is called ${JSON.stringify(defence.test)}`;
    if (failed === 0) return `${defence.tests} > ${defence.test} passed without it`;
    const isAssertion = failures.some((line) => line.includes(' > '));
    return isAssertion ? null : `without it nothing could run: ${failures.join('; ')}`;
  } finally {
    writeFileSync(path, text);
  }
}

const trialOf = ({ tests, test, engine = 'sqlite' }: Defence): Trial => ({
  project: tests.split('/')[1] as Trial['project'],
  files: [tests],
  engine,
  title: RegExp.escape(test),
  timeoutMs: TIMEOUT_MS,
  // `npm run trust` raises the limits; a test that fails by its limit need not wait that long. Not tallied.
  env: { TEST_PATIENCE: '1', TRUST_TALLY: '' },
});

export async function tryDefences(options: {
  isShort: boolean;
  seed: number;
  log: string;
}): Promise<Outcome> {
  const started = performance.now();
  const chosen = options.isShort ? sample(options.seed) : defences;
  const copy = copyTree();
  const failures: string[] = [];
  try {
    for (const defence of chosen) {
      const problem = await switchOff(defence, copy, options.log);
      process.stdout.write(`  ${problem ? 'NOT NOTICED' : 'noticed'}: without ${defence.name}\n`);
      if (problem) failures.push(`without ${defence.name}: ${problem}`);
    }
  } finally {
    copy.remove();
  }
  const failed = failures.length;
  const tried = chosen.length;
  return {
    passed: tried - failed,
    failed,
    skipped: 0,
    failures,
    tallies: [{ unit: 'defences disabled', tried, failed }],
    seconds: Math.round((performance.now() - started) / 1000),
  };
}

function sample(seed: number): Defence[] {
  const random = randomFrom(seed);
  const quick = defences.filter(({ tests }) => tests.startsWith('tests/unit/'));
  return quick
    .map((defence) => ({ defence, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, SHORT_SAMPLE)
    .map(({ defence }) => defence);
}
