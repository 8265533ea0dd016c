import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { checkFields } from '../../../lib/client/check.ts';
import type { Draft } from '../../../lib/stores/draft/draft-types.ts';
import { $uploads } from '../../../lib/stores/pictures/uploads.ts';
import type { Writing } from '../writing/writing.ts';
import { useKeyDown } from './use-screen.ts';

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

export function useSaveKey(save: () => void): void {
  useKeyDown((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 's') return;
    event.preventDefault();
    if (!event.isComposing) save();
  });
}

/**
 * Asks before leaving the page only if something would be lost: text not saved anywhere, or running uploads.
 */
export function useStay(draft: Draft): void {
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => {
      const isSending = $uploads.get().some(({ problem }) => problem === null);
      if (isSending || draft.$state.get() === 'failed') event.preventDefault();
    };
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [draft]);
}

/**
 * Whether the conflict dialog is open. It opens once per version of the others, in a pause of typing; after
 * that only on request.
 */
export function useComparison(draft: Draft): { isOpen: boolean; open(): void; close(): void } {
  const [isOpen, setOpen] = useState(false);
  const stop = useRef(() => {});
  const version = useStore(draft.$conflict)?.theirs.time;
  useEffect(() => {
    if (version === undefined) return undefined;
    stop.current = oncePaused(document, () => setOpen(true));
    return () => stop.current();
  }, [version]);
  const set = (isWanted: boolean) => {
    stop.current();
    setOpen(isWanted);
  };
  return { isOpen: isOpen && version !== undefined, open: () => set(true), close: () => set(false) };
}

/**
 * Preloads the parts needed offline: toasts, questions and the validation rules. Parts that fail to load are
 * loaded again when needed.
 */
export function useOfflineParts(): void {
  useEffect(() => {
    void Promise.allSettled([
      import('../../toasts/Toasts.tsx'),
      import('../../toasts/Questions.tsx'),
      checkFields('articleCreate', {}),
      checkFields('tagCreate', {}),
    ]);
  }, []);
}

/**
 * Focuses the text and dims other paragraphs while the focus mode is on.
 * @param writing null while the text is hidden
 */
export function useFocusedText(isFocused: boolean, writing: Writing | null): void {
  useEffect(() => {
    if (!isFocused || !writing) return undefined;
    writing.focusParagraph(true);
    writing.focus();
    return () => writing.focusParagraph(false);
  }, [isFocused, writing]);
}
