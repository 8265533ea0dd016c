import { useRef, useState } from 'react';

/** Returns whether a task is running, and a function that runs a task unless one is running already. */
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
