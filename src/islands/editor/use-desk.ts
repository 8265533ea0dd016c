import { useStore } from '@nanostores/react';
import { useEffect, useEffectEvent, useState } from 'react';
import { checkFields } from '../../lib/client/check.ts';
import type { Draft } from '../../lib/stores/draft.ts';
import { $uploads } from '../../lib/stores/uploads.ts';
import type { Writing } from './writing.ts';

/** Calls `save` on Ctrl+S or ⌘S, wherever on the page the focus is. */
export function useSaveKey(save: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 's') return;
    event.preventDefault();
    if (!event.isComposing) save();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Asks before leaving only where something would be lost: text nowhere else, pictures under way. */
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

const PAUSE_MS = 1_000;

/** Whether a conflict's versions are on screen: they come in a pause of writing, and when asked for. */
export function useComparison(draft: Draft): { isOpen: boolean; open(): void; close(): void } {
  const [isOpen, setOpen] = useState(false);
  const version = useStore(draft.$conflict)?.theirs.time;
  useEffect(() => {
    if (version === undefined) return undefined;
    let isComposing = false;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (event?: Event) => {
      if (event?.type === 'compositionstart') isComposing = true;
      if (event?.type === 'compositionend') isComposing = false;
      clearTimeout(timer);
      timer = setTimeout(() => !isComposing && setOpen(true), PAUSE_MS);
    };
    wait();
    const stop = new AbortController();
    for (const type of ['input', 'keydown', 'compositionstart', 'compositionend']) {
      document.addEventListener(type, wait, { signal: stop.signal, capture: true });
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [version]);
  return {
    isOpen: isOpen && version !== undefined,
    open: () => setOpen(true),
    close: () => setOpen(false),
  };
}

/**
 * Loads what a writer without a network needs: messages, questions, the rules of the fields. What does not
 * arrive is asked for again when it is needed.
 */
export function useOfflineParts(): void {
  useEffect(() => {
    void Promise.allSettled([
      import('../toasts/Toasts.tsx'),
      import('../toasts/Questions.tsx'),
      checkFields('articleCreate', {}),
    ]);
  }, []);
}

/**
 * Goes on in the text when the focus mode begins, and lets the paragraph stand out until it ends.
 * @param writing null while it is out of sight
 */
export function useFocusedText(isFocused: boolean, writing: Writing | null): void {
  useEffect(() => {
    if (!isFocused || !writing) return undefined;
    writing.focusParagraph(true);
    writing.focus();
    return () => writing.focusParagraph(false);
  }, [isFocused, writing]);
}
