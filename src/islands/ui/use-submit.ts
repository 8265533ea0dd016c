import { useState, type SyntheticEvent } from 'react';
import { explain } from '../../lib/client/call-error.ts';
import { useOnce } from './use-once.ts';

/** A form on its way to the server. */
interface Submission {
  /** Why it was not sent, or not taken; otherwise ''. */
  problem: string;
  isBusy: boolean;
  onSubmit(event: SyntheticEvent): void;
}

/**
 * Sends a form, once at a time.
 * @param send makes the call, or returns what keeps it from being made; what it throws becomes the problem
 * @param otherwise what is said of a failure without words of its own
 */
export function useSubmit(
  send: () => Promise<string | void>,
  otherwise = '没能保存，请再试一次',
): Submission {
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
    onSubmit(event) {
      event.preventDefault();
      void once(attempt);
    },
  };
}
