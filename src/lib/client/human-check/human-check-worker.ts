import { solveChallenge } from 'altcha-lib';
import { deriveKey as deriveNatively } from 'altcha-lib/algorithms/web/pbkdf2';
import type { WorkToDo } from '../../contract/human-check.ts';

type DeriveKey = typeof deriveNatively;

addEventListener('message', ({ data }: MessageEvent<WorkToDo>) => void work(data));

async function work(challenge: WorkToDo): Promise<void> {
  try {
    const deriveKey = 'subtle' in crypto ? deriveNatively : await loadScript();
    postMessage(await solveChallenge({ challenge, deriveKey }));
  } catch (error) {
    // Errors of async functions in a worker do not reach its owner.
    console.error(error);
    postMessage(null);
  }
}

/** Script implementation for plain HTTP, which has no crypto.subtle. */
async function loadScript(): Promise<DeriveKey> {
  const { pbkdf2, sha256 } = await import('./pbkdf2.ts');
  return ({ cost, keyLength }, salt, password) =>
    Promise.resolve({ derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }) });
}
