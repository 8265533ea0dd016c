import { OPTIONAL_CALLS } from '../contract/calls/calls.ts';
import { routes } from '../contract/routes.generated.ts';
import { SiteFacts } from '../contract/site.ts';
import { readText } from './read-text.ts';
import { KIB } from '../contract/rules/units.ts';

const FETCH_TIMEOUT_MS = 1_000;
const MAX_RESPONSE_BYTES = 64 * KIB;
const NOT_FOUND = 404;

/**
 * Returns the API's site facts: empty if it has no such call or its response is outside the contract, null if
 * it does not respond.
 */
export async function findSiteFacts(origin: string): Promise<Partial<SiteFacts> | null> {
  const [method, path] = routes.site;
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const response = await fetch(origin + path, { method, signal, redirect: 'manual' });
    if (!response.ok) {
      await response.body?.cancel();
      return response.status === NOT_FOUND ? {} : null;
    }
    return factsIn(await readText(response, MAX_RESPONSE_BYTES));
  } catch {
    return null;
  }
}

function factsIn(text: string): Partial<SiteFacts> {
  try {
    return SiteFacts.parse((JSON.parse(text) as { data?: unknown }).data);
  } catch {
    return {};
  }
}

/** Returns the optional calls that the API lacks, space-separated; null if it does not respond. */
export async function findMissingCalls(origin: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const missing = await Promise.all(
      OPTIONAL_CALLS.map(async (name) => {
        const [method, path] = routes[name];
        const response = await fetch(origin + path, { method, signal, redirect: 'manual' });
        await response.body?.cancel();
        if (response.status === 429 || response.status >= 500) throw new Error(`${path}: ${response.status}`);
        return response.status === NOT_FOUND ? [name] : [];
      }),
    );
    return missing.flat().join(' ');
  } catch {
    return null;
  }
}
