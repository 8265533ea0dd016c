import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError } from '../../lib/client/call-error.ts';

/** Progress of the proof of work; `off` if none is needed. */
export type CheckState = 'off' | 'working' | 'done' | 'failed';

/** The server accepts a proof for ten minutes; this leaves time for the transfer. */
const PROOF_LIFETIME_MS = 9 * 60_000;
const NOT_PROVEN = '没能确认你不是机器人，请检查网络后再试一次；手机开着省电模式时会慢很多';

interface Proof {
  made: Promise<string | null>;
  since: number;
}

/**
 * Computes a proof of work in the background while the reader fills in a form. `isAsked` tells whether one is
 * needed. `prove` waits up to a minute for the proof, starts over if the last one is too old or has failed,
 * and resolves to fields for the call. `forget` discards a proof that the server has rejected. @throws
 * CallError from `prove`, with a message, if there is no proof
 */
export function useHumanCheck(isAsked: boolean) {
  const [state, setState] = useState<CheckState>('off');
  const proof = useRef<Proof | null>(null);

  const start = useCallback((): Proof => {
    const isOld = proof.current !== null && Date.now() - proof.current.since > PROOF_LIFETIME_MS;
    if (proof.current && !isOld) return proof.current;
    setState('working');
    const begun: Proof = { made: work(), since: Date.now() };
    proof.current = begun;
    void begun.made.then((made) => {
      if (proof.current !== begun) return;
      setState(made === null ? 'failed' : 'done');
      if (made === null) proof.current = null;
    });
    return begun;
  }, []);
  useEffect(() => {
    if (isAsked) start();
  }, [isAsked, start]);

  return {
    state,
    async prove(): Promise<{ check?: string }> {
      if (!isAsked) return {};
      const check = await start().made;
      if (check === null) throw new CallError('refused', NOT_PROVEN);
      return { check };
    },
    forget(): void {
      proof.current = null;
    },
  };
}

const work = (): Promise<string | null> =>
  import('../../lib/client/human-check/human-check.ts').then(
    ({ proveHuman }) => proveHuman(),
    () => null,
  );
