import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestTagDefinition } from 'vitest/config';
import { recordedSeconds } from './reporter.ts';
import { LONG } from './tiers.ts';
import { randomFrom } from './trial.ts';

/**
 * Part of the tests that a run selects: `short` is `npm test`; `long` is `npm run test:long`, which runs what
 * `npm test` left out; `all` serves runs of named files or of one engine.
 */
export type Part = 'short' | 'long' | 'all';

export type Engine = 'sqlite' | 'postgres';

const TESTS = fileURLToPath(new URL('.', import.meta.url));
export const ONE_ENGINE = new URL('./one-engine.json', import.meta.url);
/** Of the files with one engine, one in this many also runs on PostgreSQL, drawn by the seed. */
const DRAWN_FROM = 10;

/**
 * Reasons why files run on SQLite only in `npm test`, by path relative to tests/; choose-engines.ts generates
 * them.
 */
export const oneEngineFiles = (): Record<string, string> =>
  JSON.parse(readFileSync(ONE_ENGINE, 'utf8')) as Record<string, string>;

/**
 * Defines the tags of tests that `npm test` skips: `long` leaves a test to `npm run test:long`, `once` does
 * so on PostgreSQL.
 */
export const tagsOf = (engine: Engine, part: Part): TestTagDefinition[] => [
  { name: 'long', skip: part === 'short' },
  { name: 'once', skip: part === 'short' && engine === 'postgres' },
];

/**
 * Whether `npm run test:long` repeats a file: with larger numbers, in all sizes and themes, or for its tests
 * with a tag.
 */
const isGrowing = (file: string, engine: Engine): boolean => {
  const source = readFileSync(join(TESTS, file), 'utf8');
  const isTagged =
    source.includes("tags: ['long']") || (engine === 'postgres' && source.includes("tags: ['once']"));
  return isTagged || /\b(amount|race|looks)\(/.test(source);
};

/**
 * Takes one share of files. Shares of consecutive seeds are disjoint, take about the same time, and together
 * are all files.
 * @param project name of the vitest project
 * @param shares number of shares
 */
function shareOf(files: readonly string[], project: string, shares: number, seed: number): string[] {
  const seconds = recordedSeconds();
  const secondsOf = (file: string): number => seconds[`${project}:${file}`] ?? 0;
  const longestFirst = files.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  return longestFirst.filter((_, index) => index % shares === seed % shares);
}

/**
 * Lists the test files of a project.
 * @param project folder of tests/
 * @param seed chooses the share, and the files with one engine that run on the second one nevertheless
 * @param shares number of shares of the long part, of which one is listed
 * @returns paths relative to tests/
 */
export function filesOf(project: string, engine: Engine, part: Part, seed: number, shares = 1): string[] {
  const other = engine === 'postgres' ? 'sqlite' : 'postgres';
  const found = globSync(`${project}/**/*.test.{ts,tsx}`, { cwd: TESTS })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !new RegExp(`\\.${other}\\.test\\.`).test(file))
    .toSorted();
  if (part === 'all') return found;
  const oneEngine = engine === 'postgres' ? oneEngineFiles() : {};
  if (part === 'long') {
    const isLeftOut = (file: string) => LONG.includes(file) || isGrowing(file, engine) || file in oneEngine;
    const name = engine === 'postgres' ? `${project}-postgres` : project;
    return shareOf(found.filter(isLeftOut), name, shares, seed);
  }
  const random = randomFrom(seed);
  const isDrawn = () => random() < 1 / DRAWN_FROM;
  return found.filter((file) => !LONG.includes(file) && (!(file in oneEngine) || isDrawn()));
}
