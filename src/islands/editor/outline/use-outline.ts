import { useState } from 'react';
import { useQuery } from '../use-screen.ts';

/** From here on there is room for the outline beside source and preview; as in styles/editor.css. */
const ROOMY = '(min-width: 1440px)';
const KEY = 'editor-outline';

/** The outline of the desk: whether it has a place of its own, and whether it is shown there or above. */
export interface OutlineChoice {
  isBeside: boolean;
  isOpen: boolean;
  set(isOpen: boolean): void;
}

/** Whether the outline is shown; beside the text that is remembered on this device. */
export function useOutline(): OutlineChoice {
  const isBeside = useQuery(ROOMY);
  const [isKept, setKept] = useState(readChoice);
  const [isAsked, setAsked] = useState(false);
  const set = (isOpen: boolean) => {
    if (!isBeside) return setAsked(isOpen);
    setKept(isOpen);
    storeChoice(isOpen);
  };
  return { isBeside, isOpen: isBeside ? isKept : isAsked, set };
}

function readChoice(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    // Storage may be forbidden.
    return false;
  }
}

function storeChoice(isOpen: boolean): void {
  try {
    localStorage.setItem(KEY, isOpen ? 'on' : 'off');
  } catch {
    // Kept until the page is left, then.
  }
}
