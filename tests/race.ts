import { expect, test } from 'vitest';
import { TEST_MS } from './limits.ts';
import { amount, SEED, tally } from './trial.ts';

/** Rounds of each race; `npm run trust` runs 1,000. */
const ROUNDS = amount('TRUST_ROUNDS', 4, 200);

/**
 * Declares a test that runs two things concurrently, in many rounds. `round` throws or describes a problem;
 * the test shows the first problems. A round that a busy server refused is repeated.
 */
export function race(name: string, round: (at: number) => Promise<string | null>): void {
  // oxlint-disable-next-line vitest/valid-title -- each race declares its own title
  test(name, { timeout: TEST_MS + ROUNDS * 3_000 }, async () => {
    const problems: string[] = [];
    let [rounds, busy] = [0, 0];
    while (rounds < ROUNDS) {
      const problem = await round(rounds + busy).catch(String);
      if (problem?.includes('UNAVAILABLE')) {
        expect(++busy).toBeLessThanOrEqual(ROUNDS);
        continue;
      }
      if (problem !== null) problems.push(`round ${rounds + busy}, seed ${SEED}: ${problem}`);
      rounds++;
    }
    tally(name, rounds, problems.length);
    expect(problems.slice(0, 5)).toEqual([]);
  });
}

/** Describes how often outcomes differ from the expected ones, or returns null. */
export function unless(outcomes: readonly string[], expected: readonly string[]): string | null {
  const [seen, wanted] = [outcomes.toSorted().join(), expected.toSorted().join()];
  return seen === wanted ? null : `${seen} instead of ${wanted}`;
}

/** Resolves each promise to `OK` or the code of its refusal. */
export async function outcomesOf(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) =>
    each.status === 'fulfilled' ? 'OK' : String((each.reason as { code?: string }).code ?? each.reason),
  );
}
