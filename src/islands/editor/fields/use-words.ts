import { useEffect, useRef, useState } from 'react';

const COUNT_DEBOUNCE_MS = 300;

/**
 * Returns the number of words that readers will see, counted in typing pauses by a worker; null until it is
 * known. Of several texts that wait, only the latest is counted.
 */
export function useWords(content: string): number | null {
  const [words, setWords] = useState<number | null>(null);
  const counter = useRef<ReturnType<typeof openCounter>>(null);
  useEffect(() => {
    const timer = setTimeout(
      () => (counter.current ??= openCounter(setWords)).count(content),
      COUNT_DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [content]);
  useEffect(
    () => () => {
      counter.current?.close();
      counter.current = null;
    },
    [],
  );
  return words;
}

function openCounter(tell: (words: number | null) => void) {
  const worker = new Worker(new URL('./count-worker.ts', import.meta.url), { type: 'module' });
  let isBusy = false;
  let waiting: string | null = null;
  const count = (source: string) => {
    if (isBusy) waiting = source;
    else worker.postMessage(source);
    isBusy = true;
  };
  const next = (words: number | null) => {
    tell(words);
    isBusy = false;
    const source = waiting;
    waiting = null;
    if (source !== null) count(source);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<number | null>) => next(data));
  worker.addEventListener('error', () => next(null));
  return { count, close: () => worker.terminate() };
}
