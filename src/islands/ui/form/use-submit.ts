import { useState, type SyntheticEvent } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import { checkFields, type FieldErrors, type FormCall } from '../../../lib/client/check.ts';

import { useOnce } from '../use-once.ts';

/** Errors of the fields of a call. Returns none if the rules fail to load: the server validates too. */
export const fieldErrors = (name: FormCall, fields: Record<string, unknown>): Promise<FieldErrors> =>
  checkFields(name, fields).catch(() => ({}));

/** Text for errors without a message for readers. */
export const NOT_SAVED = '没能保存，请再试一次';

/**
 * Submits a form, one submission at a time.
 * @param send makes the call, or returns why it cannot; a thrown error becomes the problem
 * @param otherwise text for errors without a message for readers
 * @returns `problem`: why the form was not sent or was refused; otherwise ''
 */
export function useSubmit(send: () => Promise<string | void>, otherwise = NOT_SAVED) {
  const [problem, setProblem] = useState('');
  const [isBusy, once] = useOnce();
  const attempt = async () => {
    setProblem('');
    try {
      setProblem((await send()) ?? '');
    } catch (error) {
      setProblem(explain(error, otherwise));
    }
  };
  return {
    problem,
    isBusy,
    onSubmit(event: SyntheticEvent): void {
      event.preventDefault();
      void once(attempt);
    },
  };
}
