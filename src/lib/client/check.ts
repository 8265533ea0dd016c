import type { CallName } from '../contract/calls/calls.ts';

/** Error message by field name; empty if all fields are valid. */
export type FieldErrors = Record<string, string>;

/** Validates the fields of the call `name` with the server's schema, which is loaded on first use. */
export async function checkFields(name: CallName, fields: Record<string, unknown>): Promise<FieldErrors> {
  const { calls } = await import('../contract/calls/calls.ts');
  const result = calls[name].input.safeParse(fields);
  if (result.success) return {};
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? '');
    errors[field] ??= issue.message;
  }
  return errors;
}
