import { appendFileSync } from 'node:fs';

/**
 * A line of the file in which tests tally their trials for `npm run trust`. That command sets the numbers of
 * rounds and the seed through the environment.
 */
export interface Tally {
  unit: string;
  tried: number;
  failed: number;
  /** Reason why nothing could be tried on this machine. */
  skipped?: string;
}

/** Seed of all randomness in tests; the same seed produces the same requests, orders and times. */
export const SEED = Number(process.env['TRUST_SEED'] ?? 1);

/**
 * Number of rounds: the environment's, which `npm run trust` sets, else `long` in `npm run test:long`, else
 * `short`.
 */
export const amount = (variable: string, short: number, long = short): number =>
  Number(process.env[variable] ?? (process.env['TEST_PART'] === 'long' ? long : short));

/** Counts what a test tried, for the table of `npm run trust`; no effect otherwise. */
export function tally(unit: string, tried = 1, failed = 0): void {
  note({ unit, tried, failed });
}

/**
 * Records why a test cannot try anything on this machine. At present every test can.
 * @public
 */
export function tallySkipped(unit: string, skipped: string): void {
  note({ unit, tried: 0, failed: 0, skipped });
}

function note(line: Tally): void {
  const file = process.env['TRUST_TALLY'];
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Generator of numbers in [0, 1), deterministic for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns a random item; throws for an empty list. */
export function oneOf<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
