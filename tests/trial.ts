import { appendFileSync } from 'node:fs';

/**
 * A line of the file in which tests count for `npm run trust` what they tried. It sets the numbers of rounds
 * and the seed through the environment.
 */
export interface Tally {
  unit: string;
  tried: number;
  failed: number;
  /** Why nothing could be tried here. */
  skipped?: string;
}

/** Seed of everything random in a test; the same seed gives the same requests, orders and moments. */
export const SEED = Number(process.env['TRUST_SEED'] ?? 1);

/** A number that long forms raise, and what it is otherwise. */
export const amount = (variable: string, short: number): number => Number(process.env[variable] ?? short);

/** Counts what a test tried, for the table of `npm run trust`; does nothing elsewhere. */
export function tally(unit: string, tried = 1, failed = 0): void {
  note({ unit, tried, failed });
}

/** Says why a test cannot try anything on this machine. */
export function tallySkipped(unit: string, skipped: string): void {
  note({ unit, tried: 0, failed: 0, skipped });
}

function note(line: Tally): void {
  const file = process.env['TRUST_TALLY'];
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** A generator of numbers in [0, 1) that is the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of a list that is not empty. */
export function oneOf<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
