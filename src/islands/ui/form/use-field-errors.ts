import { useState } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import type { FieldErrors } from '../../../lib/client/check.ts';
import { refusedField } from '../../../lib/client/is-refused-with.ts';

import { NOT_SAVED } from './use-submit.ts';

/**
 * Errors of a form with controlled fields, whose controls have the ids `id-name`.
 * @returns `show` displays errors, focuses the first field and returns whether there are any; `showRefusal`
 *   displays a refusal at its field, and throws any other error
 */
export function useFieldErrors(id: string) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const show = (found: FieldErrors): boolean => {
    setErrors(found);
    const [first] = Object.keys(found);
    document.getElementById(`${id}-${first}`)?.focus();
    return first !== undefined;
  };
  const showRefusal = (error: unknown, fields: object): void => {
    const refused = refusedField(error);
    if (refused === undefined || !(refused in fields)) throw error;
    show({ [refused]: explain(error, NOT_SAVED) });
  };
  return { errors, show, showRefusal };
}
