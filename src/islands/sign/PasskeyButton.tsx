import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isCallError } from '../../lib/client/call-error.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { canUsePasskeys, enterByAutofill, enterByPasskey } from '../../lib/stores/account/passkeys.ts';
import { useOnce } from '../ui/use-once.ts';
import { leaveFor } from './use-send-on.ts';

const neverChanges = () => () => undefined;

const sentenceOf = (error: unknown): string =>
  isCallError(error) ? error.message : '没有用成通行密钥，请再试一次，或用密码登录';

/**
 * Signs in with a passkey of this device, also from the browser's autofill list. Shown if the browser and the
 * server support passkeys.
 */
export function PasskeyButton({ next }: { next: string }) {
  const isShown = useSyncExternalStore(
    neverChanges,
    () => canUsePasskeys() && isOffered('safety'),
    () => false,
  );
  const [problem, setProblem] = useState('');
  const offer = useRef<AbortController>(null);
  const [isBusy, once] = useOnce();
  const enter = async () => {
    setProblem('');
    // Browsers allow one request at a time, and the one for autofill may still be pending.
    offer.current?.abort();
    try {
      if (await enterByPasskey()) leaveFor(next);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  useEffect(() => {
    if (!isShown) return undefined;
    const stop = new AbortController();
    offer.current = stop;
    const offerInList = async () => {
      try {
        if (await enterByAutofill(stop.signal)) leaveFor(next);
      } catch (error) {
        // Other errors can be ignored here: the button will show them when clicked.
        if (isCallError(error, 'refused')) setProblem(sentenceOf(error));
      }
    };
    void offerInList();
    return () => stop.abort();
  }, [isShown, next]);
  if (!isShown) return null;
  return (
    <>
      <button
        type="button"
        className="button-quiet w-full mt-3 aria-disabled:(opacity-70 cursor-progress)"
        aria-disabled={isBusy}
        onClick={() => void once(enter)}
      >
        用通行密钥登录
      </button>
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
    </>
  );
}
