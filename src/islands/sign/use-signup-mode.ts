import { useEffect, useState } from 'react';
import { call } from '../../lib/stores/api.ts';

const UNKNOWN = { mode: 'open', check: false } as const;

/**
 * Who may sign up: everybody, whoever has a code, nobody; and whether a proof of work is asked for. Until it
 * is known, or where a server cannot say, everybody and none: the server has the last word.
 */
export function useSignupMode(): { mode: 'open' | 'invitation' | 'closed'; check: boolean } {
  const [answer, setAnswer] = useState<ReturnType<typeof useSignupMode>>(UNKNOWN);
  useEffect(() => {
    // Servers of before say nothing of the check.
    call('signupMode', {}, { quiet: true }).then(
      (said: { mode: ReturnType<typeof useSignupMode>['mode']; check?: boolean }) =>
        setAnswer({ mode: said.mode, check: said.check ?? false }),
      () => undefined,
    );
  }, []);
  return answer;
}
