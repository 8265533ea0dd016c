const PAUSE_MS = 1_000;

/**
 * Calls `run` once, in the first pause of typing outside of a composition. Returns a function that prevents
 * it.
 */
export function oncePaused(target: EventTarget, run: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let isComposing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const paused = () => {
    if (isComposing) return;
    stop.abort();
    run();
  };
  const wait = (event?: Event) => {
    if (event?.type === 'compositionstart') isComposing = true;
    if (event?.type === 'compositionend') isComposing = false;
    clearTimeout(timer);
    timer = setTimeout(paused, PAUSE_MS);
  };
  for (const type of ['input', 'keydown', 'compositionstart', 'compositionend'])
    target.addEventListener(type, wait, { signal, capture: true });
  signal.addEventListener('abort', () => clearTimeout(timer));
  wait();
  return () => stop.abort();
}
