import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { $gateFailure, passGate } from '../../lib/stores/account/session-gate.ts';
import { island } from '../ui/island.tsx';
import { MainButton } from '../ui/Button.tsx';

/**
 * Continues to a page that may belong to the reader once the session is known, and shows an error if that
 * fails.
 */
export default island(function SessionGate() {
  const failure = useStore($gateFailure);
  useEffect(() => void passGate(), []);
  if (failure === null) return <output className="block text-soft">正在确认登录…</output>;
  return (
    <div role="alert">
      <p>{failure}</p>
      <MainButton className="mt-6" onClick={() => void passGate()}>
        再试一次
      </MainButton>
    </div>
  );
});
