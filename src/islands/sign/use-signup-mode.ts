import { useEffect, useState } from 'react';
import type { CallOutput } from '../../lib/contract/calls/calls.ts';
import { call } from '../../lib/stores/api.ts';

/**
 * Sign-up mode: open to everyone, by invitation code, or closed; and whether a proof of work is required.
 * Null until the server has answered.
 */
export function useSignupMode(): CallOutput<'signupMode'> | null {
  const [answer, setAnswer] = useState<CallOutput<'signupMode'> | null>(null);
  useEffect(() => {
    call('signupMode', {}, { quiet: true }).then(
      // Older servers do not send `check`.
      (said) => setAnswer({ ...said, check: said.check ?? false }),
      () => undefined,
    );
  }, []);
  return answer;
}
