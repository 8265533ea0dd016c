import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectNode } from '../../tools/project.mjs';
import type { Outcome as Counted } from '../reporter.ts';
import type { Engine } from '../selection.ts';
import type { Tally } from '../trial.ts';

export type Project = 'unit' | 'engines' | 'api' | 'e2e';

/** One run of vitest: its tests, engine and environment. */
export interface Trial {
  project: Project;
  /** Paths relative to the project root. */
  files: readonly string[];
  engine: Engine;
  /** Regular expression for the full names of tests; all by default. */
  title?: string;
  env?: Record<string, string>;
  /** Time after which the run is killed without a report. */
  timeoutMs?: number;
}

export interface Outcome extends Counted {
  tallies: Tally[];
  seconds: number;
}

const running = new Set<ReturnType<typeof spawn>>();
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exitCode = 130;
    process.exit();
  });

/**
 * Runs tests in a separate process.
 * @param root root of the project, or of a copy of it
 * @param log file for vitest's output
 */
export async function runTrial(root: string, trial: Trial, log: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'moye-trust-'));
  const [report, tallies] = [join(folder, 'report.json'), join(folder, 'tallies.jsonl')];
  const { project, files, engine, title, env, timeoutMs } = trial;
  const name = engine === 'postgres' ? `${project}-postgres` : project;
  const words = ['run', '--project', name, '--retry=0', ...(title ? ['-t', title] : []), ...files];
  const output = openSync(log, 'a');
  const started = performance.now();
  const child = spawn(projectNode(), [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...words], {
    cwd: root,
    env: {
      ...process.env,
      TEST_PART: 'all',
      TEST_PATIENCE: '4',
      TEST_OUTCOME: report,
      TRUST_TALLY: tallies,
      ...env,
    },
    stdio: ['ignore', output, output],
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
  });
  running.add(child);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  running.delete(child);
  closeSync(output);
  const seconds = Math.round((performance.now() - started) / 1000);
  const outcome = read(report, code === 0 && signal === null);
  const counted = linesOf(tallies).map((line) => JSON.parse(line) as Tally);
  rmSync(folder, { recursive: true, force: true });
  return { ...outcome, tallies: counted, seconds };
}

function read(file: string, isWell: boolean): Counted {
  const text = linesOf(file).join('\n');
  if (text === '')
    return { passed: 0, failed: 1, skipped: 0, failures: ['vitest ended without reporting its outcome'] };
  const outcome = JSON.parse(text) as Counted;
  // An error while vitest closes fails a run even when every test passed.
  if (!isWell && outcome.failed === 0)
    return { ...outcome, failed: 1, failures: ['failed outside of any test'] };
  return outcome;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
