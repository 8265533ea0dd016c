import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/project.mjs';
import { randomFrom } from '../trial.ts';
import type { Defence } from './defence.ts';
import { defences } from './defence-table.ts';
import { runTrial, type Outcome, type Trial } from './vitest.ts';

/** Everything that tests read, besides the packages. */
const COPIED = ['src', 'tests', 'tools', 'bench', 'public', 'docs', 'deploy', 'dist'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'].concat([
  'astro.config.mjs',
  'uno.config.ts',
  'README.md',
]);
/** Defences that a short run switches off, of those whose tests take moments. */
const SHORT_SAMPLE = 6;
/** A defence against work without end is noticed by a test that fails, not by one that never ends. */
const TIMEOUT_MS = 300_000;

export interface Copy {
  root: string;
  remove(): void;
}

/** Copies the tree, so that a defence can be taken out of it. */
export function copyTree(): Copy {
  const copy = mkdtempSync(join(tmpdir(), 'moye-defences-'));
  const isWanted = (path: string) => !/\/(\.data|node_modules|\.astro)(\/|$)/.test(path);
  for (const folder of COPIED)
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isWanted });
  for (const file of FILES) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** Why the text that a defence replaces cannot be replaced in `folder`, or null. */
export function problemOf({ file, text }: Defence, folder: string): string | null {
  const found = readFileSync(join(folder, file), 'utf8').split(text).length - 1;
  return found === 1 ? null : `${file} holds ${JSON.stringify(text)} ${found} times, not once`;
}

/**
 * Takes a defence out of a copy of the tree, runs the test that has to notice, and puts it back.
 * @returns null when the test failed; otherwise what is wrong
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
  // A test that fails by its timeout should do so early; nothing here counts as tried.
  env: { TEST_PATIENCE: '1', TRUST_TALLY: '' },
});

/** Switches each defence off once. */
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
    failures,
    tallies: [{ unit: 'defences switched off', tried, failed }],
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
