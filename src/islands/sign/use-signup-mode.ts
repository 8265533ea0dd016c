import { useEffect, useState } from 'react';
import { call } from '../../lib/stores/api.ts';

/**
 * Who may sign up: everybody, whoever has a code, nobody. Until it is known, or where a server cannot say,
 * everybody: the server has the last word.
 */
export function useSignupMode(): 'open' | 'invitation' | 'closed' {
  const [mode, setMode] = useState<'open' | 'invitation' | 'closed'>('open');
  useEffect(() => {
    call('signupMode', {}, { quiet: true }).then(
      (answer) => setMode(answer.mode),
      () => undefined,
    );
  }, []);
  return mode;
}
