import type { ProofOfWork, WorkToDo } from '../../contract/human-check.ts';
import { routes } from '../../contract/routes.generated.ts';
import { dataOf } from '../answer.ts';
import { request } from '../transport.ts';

/** Ten times what a slow phone needs. */
const SOLVE_TIMEOUT_MS = 60_000;

/**
 * Requests a challenge, solves it in a worker, and returns the proof in the format of the calls. Returns null
 * on failure: no response, no worker, a timeout, or an abort by `signal`.
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
  const until = AbortSignal.timeout(SOLVE_TIMEOUT_MS);
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
