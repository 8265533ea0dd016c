/**
 * Reason of a failed call:
 * - `refused`: the server refused it; `message` is its Chinese text
 * - `signed-out`: the session has ended (the reader is being redirected to the sign-in page) or does not
 *   exist, or another user is signed in. `status` is 401 if the session ended and could not be refreshed, 402
 *   if the server knows of no session
 * - `unreachable`: no response (offline, server down, aborted); a retry may help
 * - `fault`: a response that does not conform to the contract; a retry may help
 */
export type CallErrorKind = 'refused' | 'signed-out' | 'unreachable' | 'fault';

/** Error of a failed call. `message` can be shown to the reader. */
export class CallError extends Error {
  override name = 'CallError';
  readonly kind: CallErrorKind;
  /** HTTP status, 0 without a response. */
  readonly status: number;
  /** Refusal code; undefined if the server sends none. Use `isRefusedWith` to compare it. */
  readonly code: string | undefined;
  /** Refused field of the call; undefined if the server names none. Use `refusedField` to read it. */
  readonly field: string | undefined;
  /** Seconds after which the server allows a retry. */
  readonly retryAfter: number | undefined;
  /** Token for the second step after SECOND_FACTOR_REQUIRED. */
  readonly ticket: string | undefined;

  constructor(
    kind: CallErrorKind,
    message: string,
    status = 0,
    {
      code,
      field,
      retryAfter,
      ticket,
      ...options
    }: ErrorOptions & { code?: string; field?: string; retryAfter?: number; ticket?: string } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
    this.ticket = ticket;
  }
}

/**
 * Returns the text to show for `error`: the message of a `CallError`; for other errors `otherwise`, and logs
 * them.
 */
export function explain(error: unknown, otherwise: string): string {
  if (isCallError(error)) return error.message;
  console.error(error);
  return otherwise;
}

/** Whether `error` is a `CallError`, and of `kind` if given. */
export function isCallError(error: unknown, kind?: CallErrorKind): error is CallError {
  return error instanceof CallError && (kind === undefined || error.kind === kind);
}
