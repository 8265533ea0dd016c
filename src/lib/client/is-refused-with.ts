import { REFUSALS, type RefusalCode } from '../contract/rules/errors.ts';
import { isCallError } from './call-error.ts';

/** Whether the server refused a call with `code`. For servers that send no codes, compares the message. */
export function isRefusedWith(error: unknown, code: RefusalCode): boolean {
  if (!isCallError(error, 'refused')) return false;
  return error.code === undefined ? error.message === REFUSALS[code].text : error.code === code;
}

/** Fields of refusals by servers that do not name the field. */
const FIELDS = [
  ['USERNAME_TAKEN', 'username'],
  ['USERNAME_RESERVED', 'username'],
  ['PASSWORD_WRONG', 'password'],
  ['CODE_WRONG', 'code'],
] as const;

/** Returns the field of its call that a refusal concerns; undefined for any other error. */
export function refusedField(error: unknown): string | undefined {
  if (!isCallError(error, 'refused')) return undefined;
  return error.field ?? FIELDS.find(([code]) => isRefusedWith(error, code))?.[1];
}
