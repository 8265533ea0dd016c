import type { CallName } from '../contract/calls.ts';

/** What is wrong with a form: the sentence for each field, by the field's name. Empty when all is well. */
export type FieldErrors = Record<string, string>;

/** Checks the fields of the call `name` by the server's own schema, loaded on the first check. */
export async function checkFields(name: CallName, fields: Record<string, unknown>): Promise<FieldErrors> {
  const { calls } = await import('../contract/calls.ts');
  const result = calls[name].input.safeParse(fields);
  if (result.success) return {};
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? '');
    errors[field] ??= issue.message;
  }
  return errors;
}
