import { AsyncLocalStorage } from 'node:async_hooks';
import { refusal, type Refusal } from '../contract/errors.ts';

/** Storage cannot be opened as configured; the message is one clear line for the operator. */
export class StorageUnusableError extends Error {
  override name = 'StorageUnusableError';
}

/** Seconds after which a reader may try again: storage that is back is noticed sooner. */
const RETRY_AFTER_S = 2;

/**
 * Storage cannot be reached or is too slow: a refusal UNAVAILABLE; `cause` tells the operator why. Nothing
 * was written, unless `isOutcomeUnknown`: the connection was lost after the order to commit.
 */
export class StorageUnavailableError extends Error implements Refusal {
  declare readonly code: Refusal['code'];
  declare readonly status: number;
  declare readonly retryAfter: number;
  readonly isOutcomeUnknown: boolean;

  constructor(cause: unknown, isOutcomeUnknown = false) {
    const { message, ...fields } = refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER_S });
    super(message, { cause });
    Object.assign(this, fields, { name: 'StorageUnavailableError' });
    // Every page asked for meanwhile ends with one, and each is logged: where it was thrown says nothing.
    this.stack = `StorageUnavailableError: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** How long one request may wait for storage in all, so that it is answered within 5 s. */
const REQUEST_MS = 4_000;
/** How long one call may wait outside of requests: the command line, upkeep. */
const CALL_MS = 30_000;

const waits = new AsyncLocalStorage<{ spent: number }>();

/** Runs the work of one request: what it waits for storage is counted together. */
export function asRequest<T>(work: () => T): T {
  return waits.run({ spent: 0 }, work);
}

/** Runs one call to storage, which is given the milliseconds it may take, and counts what it takes. */
export async function waiting<T>(call: (atMost: number) => Promise<T>): Promise<T> {
  const wait = waits.getStore();
  if (!wait) return call(CALL_MS);
  const started = performance.now();
  try {
    return await call(Math.max(1, REQUEST_MS - wait.spent));
  } finally {
    wait.spent += performance.now() - started;
  }
}
