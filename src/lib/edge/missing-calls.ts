import { OPTIONAL_CALLS } from '../contract/rules/optional-calls.ts';
import { routes } from '../contract/rules/routes.ts';

const FETCH_TIMEOUT_MS = 1_000;
const NOT_FOUND = 404;

/** Returns the optional calls that the API lacks, space-separated; null if it does not respond. */
export async function findMissingCalls(origin: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const missing = await Promise.all(
      OPTIONAL_CALLS.map(async (name) => {
        const [method, path] = routes[name];
        const response = await fetch(origin + path, { method, signal, redirect: 'manual' });
        await response.body?.cancel();
        return response.status === NOT_FOUND ? [name] : [];
      }),
    );
    return missing.flat().join(' ');
  } catch {
    return null;
  }
}
