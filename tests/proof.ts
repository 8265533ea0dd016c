import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { WorkToDo } from '../src/lib/contract/human-check.ts';

/** Does the work of a challenge; returns the field `check`. */
export async function solve(challenge: WorkToDo): Promise<string> {
  const { counter, derivedKey } = (await solveChallenge({ challenge, deriveKey })) ?? {};
  return JSON.stringify({ challenge, solution: { counter, derivedKey } });
}
