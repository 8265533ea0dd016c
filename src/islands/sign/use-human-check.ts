import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError } from '../../lib/client/call-error.ts';

/** How far the proof of work is; `off` where none is asked for. */
export type CheckState = 'off' | 'working' | 'done' | 'failed';

/** A server takes a proof for ten minutes; what travels takes a while. */
const LASTS_MS = 9 * 60_000;
const NOT_PROVEN = '没能确认您不是机器人，请检查网络后再试一次；手机开着省电模式时会慢很多';

interface Proof {
  made: Promise<string | null>;
  since: number;
}

/**
 * Proves in the background, while a form is being filled in, that a browser is at work; `isAsked` is whether
 * that is wanted. `prove` waits for the proof, makes a new one where the last is too old or has come to
 * nothing, and resolves to fields for the call, within a minute; `forget` is for one that the server did not
 * take. @throws CallError from `prove`, with a sentence, where there is no proof
 */
export function useHumanCheck(isAsked: boolean) {
  const [state, setState] = useState<CheckState>('off');
  const proof = useRef<Proof | null>(null);

  const start = useCallback((): Proof => {
    const isOld = proof.current !== null && Date.now() - proof.current.since > LASTS_MS;
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

/** Loaded where it is needed; null where that fails. */
const work = (): Promise<string | null> =>
  import('../../lib/client/human-check.ts').then(
    ({ proveHuman }) => proveHuman(),
    () => null,
  );
