import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { answerButtonId, commentId } from '../../components/ids.ts';
import type { ReplyTarget } from '../../lib/stores/comment-draft.ts';
import type { CommentDrafts } from '../../lib/stores/comment-drafts.ts';

/** Where on the screen a comment stands. */
interface Place {
  id: string;
  top: number;
}

const $nobody = atom<ReplyTarget | null>(null);

/**
 * The boxes under comments, one open at a time. Opening and closing them moves nothing that is being read;
 * cancelling takes the reader back to where they were, and the focus to the button they came from.
 */
export function useAnswers(drafts: CommentDrafts | null) {
  const answered = useStore(drafts?.$answered ?? $nobody);
  const [asked, setAsked] = useState<string | null>(null);
  /** Where the answered comment was when its box was asked for. */
  const cameFrom = useRef<Place | null>(null);
  /** What must stand where it stood once the page is drawn anew. */
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
      /** Opens the box of a comment, or closes it where it is open. */
      toggle(target: ReplyTarget): void {
        if (drafts?.$answered.get()?.id === target.id) return close(cameFrom.current);
        held.current = cameFrom.current = placeOf(target.id);
        setAsked(target.id);
        drafts?.answer(target);
      },
      /** Closes the box; the words stay for the next time. */
      cancel: () => close(cameFrom.current),
      /** Closes the box of an answer that has been published. */
      finish: () => close(placeOf(drafts?.$answered.get()?.id ?? '')),
    };
  }, [drafts]);

  return {
    ...actions,
    /** The comment whose box is open, or null. */
    answered,
    /** Whether the reader has asked for it; else it is one from before a reload. */
    isAsked: answered !== null && asked === answered.id,
  };
}

function placeOf(id: string): Place | null {
  const element = document.getElementById(commentId(id));
  return element && { id, top: element.getBoundingClientRect().top };
}
