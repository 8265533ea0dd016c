import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
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
/**
 * Round trips that a request has time for, however far away storage is: a save takes up to 30, and it may
 * have to wait for another one. Above 65 ms each, they take longer than `REQUEST_MS`.
 */
const ROUND_TRIPS = 60;
/** However far away storage is. */
const LONGEST_REQUEST_MS = 20_000;
/** How long one call may wait outside of requests: the command line, jobs. */
const CALL_MS = 30_000;

/** What a request has waited for storage so far. */
interface Budget {
  limitMs: number;
  spentMs: number;
  isAnswered: boolean;
}

const budgets = new AsyncLocalStorage<Budget | undefined>();

/**
 * Told of each call to storage by work that a request began and did not wait for: such work belongs outside
 * of it (`outsideRequests`, jobs.ts). Tests listen.
 */
export const callsAfterAnswer = channel('moye:storage-call-after-answer');

/**
 * Runs the work of one request: what it waits for storage is counted together. `work` is given what to call
 * once the request is answered.
 */
export function asRequest<T>(work: (answered: () => void) => T): T {
  const limitMs = budgets.getStore()?.limitMs ?? REQUEST_MS;
  const budget = { limitMs, spentMs: 0, isAnswered: false };
  return budgets.run(budget, work, () => void (budget.isAnswered = true));
}

/** Runs what outlives the request that begins it: jobs, and whatever else it does not wait for. */
export function outsideRequests<T>(work: () => T): T {
  return budgets.run(undefined, work);
}

/** @throws in the context of a request: what is left to run there would be stopped by the request's limits */
export function requireNoRequest(): void {
  if (budgets.getStore()) throw new Error('a job runs in the context of a request');
}

/**
 * Runs work whose result several requests share. It has its own budget; none of the requests is charged. They
 * wait for it with `sharedResult`.
 */
export function asShared<T>(work: () => Promise<T>): Promise<T> {
  return budgets.getStore() ? asRequest(work) : work();
}

/** The result of shared work; the time it takes is this request's own wait. */
export function sharedResult<T>(shared: Promise<T>): Promise<T> {
  return waiting((leftMs) =>
    leftMs > 1 ? shared : Promise.reject(new StorageUnavailableError(new Error('no time is left to wait'))),
  );
}

/**
 * Runs one call to storage, which is given the milliseconds it may take, and counts what it takes.
 * @param roundTripMs how far away storage is
 */
export async function waiting<T>(call: (atMost: number) => Promise<T>, roundTripMs = 0): Promise<T> {
  const budget = budgets.getStore();
  if (!budget) return call(CALL_MS);
  if (budget.isAnswered) callsAfterAnswer.publish(new Error('storage called after the answer'));
  budget.limitMs = Math.max(budget.limitMs, Math.min(ROUND_TRIPS * roundTripMs, LONGEST_REQUEST_MS));
  const started = performance.now();
  try {
    return await call(Math.max(1, budget.limitMs - budget.spentMs));
  } finally {
    budget.spentMs += performance.now() - started;
  }
}
