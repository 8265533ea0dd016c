import { useRef, useState } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import type { FieldErrors, FormCall } from '../../../lib/client/check.ts';
import { refusedField } from '../../../lib/client/is-refused-with.ts';

import { fieldErrors, useSubmit } from './use-submit.ts';

type Fields = Record<string, string>;

/**
 * Form of a call. Its controls are named after the fields and uncontrolled, because password managers write
 * to them. Before sending, validates all fields, shows each error at its field and focuses the first one.
 * @param fixed fields without a control, or whose value the controls do not have
 * @param send makes the call; a thrown error is shown at the field that the server refused, or as the problem
 *   of the form
 * @param otherwise text for errors without a message for readers
 */
export function useFields(
  call: FormCall,
  fixed: Readonly<Record<string, unknown>>,
  send: (fields: Fields) => Promise<void>,
  otherwise: string,
) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const read = () => ({
    ...(Object.fromEntries(new FormData(form.current ?? undefined)) as Fields),
    ...(fixed as Fields),
  });
  const controls = () => [...(form.current?.elements ?? [])];
  const show = (found: FieldErrors) => {
    setErrors(found);
    const wrong = controls().find((control) => nameOf(control) in found);
    if (wrong instanceof HTMLElement) wrong.focus();
  };
  const submission = useSubmit(async () => {
    const fields = read();
    const found = await fieldErrors(call, fields);
    show(found);
    if (Object.keys(found).length > 0) return;
    try {
      await send(fields);
    } catch (error) {
      const refused = refusedField(error);
      if (refused === undefined || !controls().some((control) => nameOf(control) === refused)) throw error;
      show({ [refused]: explain(error, otherwise) });
    }
  }, otherwise);
  return { ...submission, form, errors, setErrors, check: () => fieldErrors(call, read()) };
}

export const nameOf = (target: EventTarget): string => ('name' in target ? String(target.name) : '');
