import { CallError } from './call-error.ts';

/** What came back: the status, and the envelope of CONTRACT.md "Basics" where there was one. */
export interface Answer {
  status: number;
  code: unknown;
  data: unknown;
  /** Which refusal it is, of servers that say so. */
  error: unknown;
  /** What goes on from a refusal, where something does. */
  ticket?: unknown;
  /** The header of that name, in seconds. */
  retryAfter?: number;
}

/** Access token past its time, CONTRACT.md "Basics". */
export const EXPIRED = 401;
/** Sign-in needed and no usable token. */
export const SIGNED_OUT = 402;
const FAULT = '服务器出了点问题，请稍后再试';

/** An answer's data. @throws CallError `refused` with its sentence, `fault` for none of the contract's */
export function dataOf({ status, code, data, error, ticket, retryAfter }: Answer): unknown {
  if (code === 'OK') return data;
  if (code === 'ERROR' && typeof data === 'string')
    throw new CallError('refused', data, status, {
      ...(typeof error === 'string' ? { code: error } : {}),
      ...(retryAfter ? { retryAfter } : {}),
      ...(typeof ticket === 'string' ? { ticket } : {}),
    });
  throw new CallError('fault', FAULT, status);
}

/** What `text` says as JSON; null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The parts of an envelope; of a body that is none they are undefined. */
export function partsOf(body: unknown): Omit<Answer, 'status' | 'retryAfter'> {
  const parts = typeof body === 'object' && body !== null ? body : {};
  const { code, data, error, ticket } = parts as Partial<Answer>;
  return { code, data, error, ticket };
}

/** Whether the answer asks for another token. */
export const asksForSignIn = ({ status, code }: Answer) =>
  code !== 'OK' && (status === EXPIRED || status === SIGNED_OUT);
