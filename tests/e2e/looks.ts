import { oneOf, randomFrom } from '../trial.ts';

const SEED = Number(process.env['TEST_SEED'] ?? 1);

/**
 * Sizes and themes in which a page is tested: one of them in `npm test`, another one for another TEST_SEED;
 * all in `npm run test:long` and in runs of named files.
 */
export const looks = <T>(all: readonly T[]): readonly T[] =>
  process.env['TEST_PART'] === 'short' ? [oneOf(all, randomFrom(SEED))] : all;
