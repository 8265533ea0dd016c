import { CallError } from './call-error.ts';
import type { Answer } from './transport.ts';

/** Access token past its time, CONTRACT.md "Basics". */
export const EXPIRED = 401;
/** Sign-in needed and no usable token. */
export const SIGNED_OUT = 402;
const FAULT = '服务器出了点问题，请稍后再试';

/**
 * The data of an answer.
 * @throws CallError `refused` with the server's sentence, or `fault` where the answer is none of the contract's
 */
export function dataOf({ status, code, data }: Answer): unknown {
  if (code === 'OK') return data;
  if (code === 'ERROR' && typeof data === 'string') throw new CallError('refused', data, status);
  throw new CallError('fault', FAULT, status);
}

/** Whether the answer asks for another token. */
export const asksForSignIn = ({ status, code }: Answer) =>
  code !== 'OK' && (status === EXPIRED || status === SIGNED_OUT);
