import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { answerButtonId, commentId } from '../../lib/shared/ids.ts';
import type { ReplyTarget } from '../../lib/stores/comments/comment-draft.ts';
import type { CommentDrafts } from '../../lib/stores/comments/comment-drafts.ts';

interface Place {
  id: string;
  top: number;
}

const $nobody = atom<ReplyTarget | null>(null);

/**
 * Reply boxes of a thread, of which at most one is open. Opening or closing one does not move the text being
 * read. Cancelling restores the former scroll position and focuses the button that opened the box.
 */
export function useAnswers(drafts: CommentDrafts | null) {
  const answered = useStore(drafts?.$answered ?? $nobody);
  const [asked, setAsked] = useState<string | null>(null);
  /** Position of the parent comment when its box was opened. */
  const cameFrom = useRef<Place | null>(null);
  /** Comment that has to keep its position across the next render. */
  const held = useRef<Place | null>(null);
  useLayoutEffect(() => {
    const { id, top } = held.current ?? {};
    held.current = null;
    const element = id === undefined ? null : document.getElementById(commentId(id));
    if (!element || top === undefined) return;
    scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
  });

  const actions = useMemo(() => {
    const close = (place: Place | null): void => {
      const id = drafts?.$answered.get()?.id ?? '';
      held.current = place?.id === id ? place : null;
      document.getElementById(answerButtonId(id))?.focus({ preventScroll: true });
      drafts?.answer(null);
      setAsked(null);
    };
    return {
      toggle(target: ReplyTarget): void {
        if (drafts?.$answered.get()?.id === target.id) return close(cameFrom.current);
        held.current = cameFrom.current = placeOf(target.id);
        setAsked(target.id);
        drafts?.answer(target);
      },
      cancel: () => close(cameFrom.current),
      finish: () => close(placeOf(drafts?.$answered.get()?.id ?? '')),
    };
  }, [drafts]);

  return {
    ...actions,
    answered,
    /** False if the box was open before a reload. */
    isAsked: answered !== null && asked === answered.id,
  };
}

function placeOf(id: string): Place | null {
  const element = document.getElementById(commentId(id));
  return element && { id, top: element.getBoundingClientRect().top };
}
