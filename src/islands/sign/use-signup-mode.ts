import { useEffect, useState } from 'react';
import { call } from '../../lib/stores/api.ts';

const UNKNOWN = { mode: 'open', check: false } as const;

/**
 * Sign-up mode: open to everyone, by invitation code, or closed; and whether a proof of work is required.
 * Until the server has answered, assumes open and no proof, because the server checks on submit anyway.
 */
export function useSignupMode(): { mode: 'open' | 'invitation' | 'closed'; check: boolean } {
  const [answer, setAnswer] = useState<ReturnType<typeof useSignupMode>>(UNKNOWN);
  useEffect(() => {
    // Older servers do not send `check`.
    call('signupMode', {}, { quiet: true }).then(
      (said: { mode: ReturnType<typeof useSignupMode>['mode']; check?: boolean }) =>
        setAnswer({ mode: said.mode, check: said.check ?? false }),
      () => undefined,
    );
  }, []);
  return answer;
}
