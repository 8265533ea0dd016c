import { setTimeout as sleep } from 'node:timers/promises';
import { isTemporary } from '../../contract/rules/errors.ts';
import { StorageUnavailableError } from '../storage/storage.ts';

const MAX_ATTEMPTS = 20;
/** A render that gets no processor time has already waited for ten seconds. */
const MAX_PAUSE_MS = 5_000;

/**
 * Returns `service` with asynchronous calls that are repeated while they are refused temporarily, for
 * commands that run unattended. The calls must be repeatable; one whose outcome is unknown is not repeated.
 * Once `signal` is aborted, refusals are final.
 */
export function retrying<S extends object>(service: S, signal: AbortSignal | undefined): S {
  const members: unknown = Object.fromEntries(
    Object.entries(service).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === 'function' ? repeated(member as Call, signal) : member,
    ]),
  );
  return members as S;
}

type Call = (...values: unknown[]) => unknown;

function repeated(call: Call, signal: AbortSignal | undefined): Call {
  return (...values) => {
    const first = call(...values);
    return first instanceof Promise ? untilAccepted(first, () => call(...values), signal) : first;
  };
}

async function untilAccepted(
  first: Promise<unknown>,
  again: () => unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let latest: unknown = first;
  for (let left = MAX_ATTEMPTS - 1; ; left--) {
    try {
      return await latest;
    } catch (error) {
      const isUnknown = error instanceof StorageUnavailableError && error.isOutcomeUnknown;
      if (left === 0 || isUnknown || !isTemporary(error)) throw error;
      const pauseMs = Math.min(error.retryAfter * 1_000, MAX_PAUSE_MS);
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error;
      });
      latest = again();
    }
  }
}
