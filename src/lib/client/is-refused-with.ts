import { REFUSALS, type RefusalCode } from '../contract/rules/errors.ts';
import { isCallError } from './call-error.ts';

/** Whether the server refused a call with `code`. For servers that send no codes, compares the message. */
export function isRefusedWith(error: unknown, code: RefusalCode): boolean {
  if (!isCallError(error, 'refused')) return false;
  return error.code === undefined ? error.message === REFUSALS[code].text : error.code === code;
}
