import type { ProofOfWork, WorkToDo } from '../contract/human-check.ts';
import { routes } from '../contract/routes.ts';
import { dataOf } from './answer.ts';
import { request } from './transport.ts';

/** Longer than a weak phone takes, ten times over. */
const PATIENCE_MS = 60_000;

/**
 * Asks the server for work, has a worker do it, and returns the proof as calls take it; null where nothing
 * came of it: no answer, no worker, too slow, or `signal` says that nobody waits any more.
 */
export async function proveHuman(signal?: AbortSignal): Promise<string | null> {
  try {
    const challenge = dataOf(
      await request(routes.humanCheck, undefined, signal ? { signal } : {}),
    ) as WorkToDo;
    const solution = await solve(challenge, signal);
    return solution && JSON.stringify({ challenge, solution } satisfies ProofOfWork);
  } catch (error) {
    console.info('human check:', error);
    return null;
  }
}

function solve(challenge: WorkToDo, signal?: AbortSignal): Promise<ProofOfWork['solution'] | null> {
  const worker = new Worker(new URL('./human-check-worker.ts', import.meta.url), { type: 'module' });
  const until = AbortSignal.timeout(PATIENCE_MS);
  const ended = signal ? AbortSignal.any([signal, until]) : until;
  const solving = new Promise<ProofOfWork['solution'] | null>((resolve) => {
    ended.addEventListener('abort', () => resolve(null));
    worker.addEventListener('error', () => resolve(null));
    worker.addEventListener('message', ({ data }: MessageEvent<ProofOfWork['solution'] | null>) =>
      resolve(data && { counter: data.counter, derivedKey: data.derivedKey }),
    );
    worker.postMessage(challenge);
  });
  return solving.finally(() => worker.terminate());
}
