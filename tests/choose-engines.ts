import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RanStatement } from './postgres/statements.ts';
import { recordedSeconds } from './reporter.ts';
import { ONE_ENGINE } from './selection.ts';
import { LONG } from './tiers.ts';

/**
 * Generates one-engine.json: runs the suites `engines` and `api` on PostgreSQL without the files of the long
 * part, notes the SQL statements of each file, and chooses the files that together run every statement in the
 * least time. These run on both engines, each other file on SQLite only, except when drawn (selection.ts).
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'moye-statements-'));
const noted = join(folder, 'statements.jsonl');
const excluded = LONG.flatMap((file) => ['--exclude', `tests/${file}`]);
spawnSync(
  process.execPath,
  ['tools/run.mjs', 'test', 'engines', 'api', '--engine', 'postgres', ...excluded],
  {
    cwd: root,
    env: { ...process.env, TEST_STATEMENTS: noted, TEST_RECORD: '1' },
    stdio: 'inherit',
  },
);

const shapes = new Map<string, Set<string>>();
for (const line of readFileSync(noted, 'utf8').split('\n').filter(Boolean)) {
  const { file, shape } = JSON.parse(line) as RanStatement;
  shapes.set(file, (shapes.get(file) ?? new Set()).add(shape));
}
rmSync(folder, { recursive: true });

const seconds = recordedSeconds();
const secondsOf = (file: string): number => seconds[`${file.split('/')[0]}-postgres:${file}`] ?? 1;
/** Files about one engine, or with different expectations for each. */
const isAboutEngines = (file: string): boolean =>
  file.endsWith('.postgres.test.ts') || /\bENGINE\b/.test(readFileSync(join(root, 'tests', file), 'utf8'));

const candidates = [...shapes.keys()].filter((file) => !isAboutEngines(file));
const covered = new Set<string>();
const cover = (file: string): void => shapes.get(file)?.forEach((shape) => covered.add(shape));
for (const file of shapes.keys()) if (isAboutEngines(file)) cover(file);

const left = new Set(candidates);
for (;;) {
  const worth = (file: string) => (shapes.get(file)?.difference(covered).size ?? 0) / secondsOf(file);
  const [best] = [...left].toSorted((a, b) => worth(b) - worth(a));
  if (best === undefined || worth(best) === 0) break;
  left.delete(best);
  cover(best);
}

const reasons = [...left].toSorted().map((file) => {
  const count = shapes.get(file)?.size ?? 0;
  return [file, `runs ${count} SQL statements, all of them also run by files on both engines`];
});
writeFileSync(ONE_ENGINE, `${JSON.stringify(Object.fromEntries(reasons), null, 2)}\n`);
process.stdout.write(`${reasons.length} of ${shapes.size} files run on SQLite only\n`);
