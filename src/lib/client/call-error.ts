/**
 * Why a call gave no answer:
 * - `refused`: the server said no; `message` is its Chinese sentence
 * - `signed-out`: nobody is signed in, or no longer (the reader is on the way to the sign-in page), or
 *   somebody else. `status` is 401 where the sign-in ended and could not be continued, 402 where the server
 *   knows of none
 * - `unreachable`: no answer at all (offline, server gone, aborted); trying again may help
 * - `fault`: an answer that is none of the contract's; trying again may help
 */
export type CallErrorKind = 'refused' | 'signed-out' | 'unreachable' | 'fault';

/** What a failed call throws. `message` can be shown to the reader. */
export class CallError extends Error {
  override name = 'CallError';
  readonly kind: CallErrorKind;
  /** The HTTP status, 0 without an answer. */
  readonly status: number;
  /** Which refusal it is; undefined where the server does not say. `isRefusedWith` reads it. */
  readonly code: string | undefined;
  /** Seconds after which the server says to come again. */
  readonly retryAfter: number | undefined;
  /** What goes on from here, of SECOND_FACTOR_REQUIRED. */
  readonly ticket: string | undefined;

  constructor(
    kind: CallErrorKind,
    message: string,
    status = 0,
    {
      code,
      retryAfter,
      ticket,
      ...options
    }: ErrorOptions & { code?: string; retryAfter?: number; ticket?: string } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.ticket = ticket;
  }
}

/** What a reader is told of `error`: a call's own sentence, else `otherwise`, and the console the error. */
export function explain(error: unknown, otherwise: string): string {
  if (isCallError(error)) return error.message;
  console.error(error);
  return otherwise;
}

/** Whether `error` is a `CallError`, of `kind` where one is given. */
export function isCallError(error: unknown, kind?: CallErrorKind): error is CallError {
  return error instanceof CallError && (kind === undefined || error.kind === kind);
}
