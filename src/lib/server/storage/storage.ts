import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { refusal, type Refusal } from '../../contract/rules/errors.ts';

/** Storage cannot be opened as configured; the message is one clear line for the operator. */
export class StorageUnusableError extends Error {
  override name = 'StorageUnusableError';
}

/** Retry-After in seconds; recovered storage is noticed sooner. */
const RETRY_AFTER_S = 2;

/**
 * Storage is unreachable or too slow: a refusal UNAVAILABLE; `cause` has the reason for the operator. Nothing
 * was written, unless `isOutcomeUnknown`: the connection was lost after COMMIT was sent.
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
    // During an outage every page logs one of these; the place of the throw is not useful.
    this.stack = `StorageUnavailableError: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** Total time one request may wait for storage, so it is answered within 5 s. */
const REQUEST_TIMEOUT_MS = 4_000;
/**
 * Round trips that a request has time for, at any distance from storage: a save takes up to 30, and may wait
 * for another save. Above 65 ms each, they take longer than `REQUEST_TIMEOUT_MS`.
 */
const ROUND_TRIPS = 60;
const MAX_REQUEST_TIMEOUT_MS = 20_000;
const CALL_TIMEOUT_MS = 30_000;

interface Budget {
  limitMs: number;
  spentMs: number;
  isAnswered: boolean;
}

const budgets = new AsyncLocalStorage<Budget | undefined>();

/** Reads of one page or response for visitors. */
interface VisitorReads {
  /** Whether the rest of them use the primary, so that later ones see no earlier state. */
  isOnPrimary: boolean;
}

const visitorReads = new AsyncLocalStorage<VisitorReads | undefined>();

/** Runs work whose result is the same for all visitors: a read replica may serve its reads. */
export const forVisitors = <T>(work: () => T): T => visitorReads.run({ isOnPrimary: false }, work);

/** Returns the reads that the current work belongs to, or undefined if a replica must not serve it. */
export const readsForVisitors = (): VisitorReads | undefined => visitorReads.getStore();

/**
 * Publishes storage calls of work that a request started and did not wait for: such work must run outside of
 * the request (`outsideRequests`, jobs.ts). Tests subscribe.
 */
export const callsAfterAnswer = channel('moye:storage-call-after-answer');

/**
 * Runs the work of one request with a shared time budget for storage. `work` must call `answered` once the
 * response is sent.
 */
export function asRequest<T>(work: (answered: () => void) => T): T {
  const limitMs = budgets.getStore()?.limitMs ?? REQUEST_TIMEOUT_MS;
  const budget = { limitMs, spentMs: 0, isAnswered: false };
  return budgets.run(budget, work, () => void (budget.isAnswered = true));
}

/** Runs work that outlives the request that starts it: jobs, and work that the request does not wait for. */
export function outsideRequests<T>(work: () => T): T {
  return visitorReads.run(undefined, () => budgets.run(undefined, work));
}

export const isInRequest = (): boolean => budgets.getStore() !== undefined;

/** @throws in the context of a request, whose limits would stop the work */
export function requireNoRequest(): void {
  if (isInRequest()) throw new Error('a job runs in the context of a request');
}

/**
 * Runs work whose result several requests share, with a separate budget that is charged to none of them. They
 * wait for it with `sharedResult`.
 */
export function asShared<T>(work: () => Promise<T>): Promise<T> {
  return budgets.getStore() ? asRequest(work) : work();
}

/** Waits for shared work; the time counts against this request. */
export function sharedResult<T>(shared: Promise<T>): Promise<T> {
  return waiting((leftMs) =>
    leftMs > 1
      ? shared
      : Promise.reject(new StorageUnavailableError(new Error('the time budget is used up'))),
  );
}

/**
 * Runs one call to storage with the milliseconds it may take, and counts the time.
 * @param roundTripMs round-trip time to storage
 */
export async function waiting<T>(call: (atMost: number) => Promise<T>, roundTripMs = 0): Promise<T> {
  const budget = budgets.getStore();
  if (!budget) return call(CALL_TIMEOUT_MS);
  if (budget.isAnswered) callsAfterAnswer.publish(new Error('storage called after the answer'));
  budget.limitMs = Math.max(budget.limitMs, Math.min(ROUND_TRIPS * roundTripMs, MAX_REQUEST_TIMEOUT_MS));
  const started = performance.now();
  try {
    return await call(Math.max(1, budget.limitMs - budget.spentMs));
  } finally {
    budget.spentMs += performance.now() - started;
  }
}
