import { useRef, useState } from 'react';

/** Whether a work is under way, and what begins one; a second does nothing while the first is under way. */
export function useOnce(): [isBusy: boolean, once: (work: () => Promise<void>) => Promise<void>] {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const once = async (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return [isBusy, once];
}
