import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { checkFields } from '../../../lib/client/check.ts';
import type { Draft } from '../../../lib/stores/draft/draft.ts';
import { $uploads } from '../../../lib/stores/pictures/uploads.ts';
import type { Writing } from '../writing/writing.ts';
import { useKeyDown } from './use-screen.ts';

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

const OPEN_DELAY_MS = 1_000;

/** Whether the conflict dialog is open. It opens in a pause of typing, or on request. */
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
      timer = setTimeout(() => !isComposing && setOpen(true), OPEN_DELAY_MS);
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
 * Preloads the parts needed offline: toasts, questions and the validation rules. Parts that fail to load are
 * loaded again when needed.
 */
export function useOfflineParts(): void {
  useEffect(() => {
    void Promise.allSettled([
      import('../../toasts/Toasts.tsx'),
      import('../../toasts/Questions.tsx'),
      checkFields('articleCreate', {}),
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
