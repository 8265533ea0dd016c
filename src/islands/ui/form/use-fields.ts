import { useRef, useState } from 'react';
import type { FieldErrors } from '../../../lib/client/check.ts';
import type { CallName } from '../../../lib/contract/calls/calls.ts';
import { fieldErrors, useSubmit } from './use-submit.ts';

type Fields = Record<string, string>;

/**
 * Form of a call. Its controls are named after the fields and uncontrolled, because password managers write
 * to them. Before sending, validates all fields, shows each error at its field and focuses the first one.
 * @param fixed fields without a control
 * @param send makes the call, and may show further errors at fields; a thrown error becomes the problem of
 *   the form
 * @param otherwise text for errors without a message for readers
 */
export function useFields(
  call: CallName,
  fixed: Fields,
  send: (fields: Fields, show: (found: FieldErrors) => void) => Promise<void>,
  otherwise: string,
) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const read = () => ({
    ...fixed,
    ...(Object.fromEntries(new FormData(form.current ?? undefined)) as Fields),
  });
  const show = (found: FieldErrors) => {
    setErrors(found);
    const wrong = [...(form.current?.elements ?? [])].find((control) => nameOf(control) in found);
    if (wrong instanceof HTMLElement) wrong.focus();
  };
  const submission = useSubmit(async () => {
    const fields = read();
    const found = await fieldErrors(call, fields);
    show(found);
    if (Object.keys(found).length === 0) await send(fields, show);
  }, otherwise);
  return { ...submission, form, errors, setErrors, show, check: () => fieldErrors(call, read()) };
}

export const nameOf = (target: EventTarget): string => ('name' in target ? String(target.name) : '');
