import { z } from 'zod';
import type { Call } from '../calls/call.ts';
import { REFUSALS, type RefusalCode } from '../rules/errors.ts';

/** Refusals of every call. */
export const COMMON_REFUSALS: readonly RefusalCode[] = [
  'BODY_MALFORMED',
  'TOO_MANY_REQUESTS',
  'ACCESS_TOKEN_INVALID',
  'ACCESS_TOKEN_IN_URL',
  'FAULT',
  'UNAVAILABLE',
];

function* derivedRefusals(call: Call): Generator<RefusalCode> {
  if (call.method === 'POST') yield* ['BODY_TYPE_UNSUPPORTED', 'BODY_TOO_LARGE'] as const;
  if (call.kind === 'write') yield 'STORAGE_FULL';
  // A read with an expired token asks the client to refresh it if the user would get another answer.
  if (call.auth === 'required' || call.kind === 'read') yield 'TOKEN_EXPIRED';
  if (call.auth === 'required') yield* ['SIGNIN_REQUIRED', 'SCOPE_MISSING'] as const;
  if (call.permission !== undefined) yield* ['NOT_ALLOWED', 'SECOND_FACTOR_MISSING'] as const;
  if (call.body.kind === 'file') yield 'IMAGE_MISSING';
  else if (refusesFields(call)) yield 'FIELD_INVALID';
}

/** Returns whether a call refuses missing or bad fields. Filters ignore bad values. */
function refusesFields({ input }: Call): boolean {
  if (!input.safeParse({}).success) return true;
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  // No field accepts a function.
  return Object.keys(properties).some((name) => !input.safeParse({ [name]: isNaN }).success);
}

/** Returns the refusals of a call in the order of their table. */
export function refusalsOf(call: Call): RefusalCode[] {
  const own = new Set<string>([...COMMON_REFUSALS, ...derivedRefusals(call), ...call.refusals]);
  return (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => own.has(code));
}
