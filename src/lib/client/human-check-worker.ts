import { solveChallenge } from 'altcha-lib';
import { deriveKey as deriveNatively } from 'altcha-lib/algorithms/web/pbkdf2';
import type { WorkToDo } from '../contract/human-check.ts';

type DeriveKey = typeof deriveNatively;

addEventListener('message', ({ data }: MessageEvent<WorkToDo>) => void work(data));

/** Answers with what solves the challenge; null where that took too long. */
async function work(challenge: WorkToDo): Promise<void> {
  try {
    const deriveKey = 'subtle' in crypto ? deriveNatively : await loadScript();
    postMessage(await solveChallenge({ challenge, deriveKey }));
  } catch (error) {
    // Nobody hears what an async function throws in a worker.
    console.error(error);
    postMessage(null);
  }
}

/** The same by script, for plain http. */
async function loadScript(): Promise<DeriveKey> {
  const { pbkdf2, sha256 } = await import('./pbkdf2.ts');
  return ({ cost, keyLength }, salt, password) =>
    Promise.resolve({ derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }) });
}
