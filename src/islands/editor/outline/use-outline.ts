import { useState } from 'react';
import { onDevice, readStored, store } from '../../../lib/client/stored.ts';
import { useQuery } from '../desk/use-screen.ts';

/** Width from which the outline fits next to source and preview. Must match styles/editor.css. */
const ROOMY = '(min-width: 1440px)';
const KEY = 'editor-outline';

export type OutlineChoice = ReturnType<typeof useOutline>;

/** Whether the outline is shown. For the column, this is stored on the device. */
export function useOutline() {
  const isBeside = useQuery(ROOMY);
  const [isKept, setKept] = useState(() => readStored(onDevice, KEY) === 'on');
  const [isAsked, setAsked] = useState(false);
  const set = (isOpen: boolean) => {
    if (!isBeside) return setAsked(isOpen);
    setKept(isOpen);
    store(onDevice, KEY, isOpen ? 'on' : 'off');
  };
  return { isBeside, isOpen: isBeside ? isKept : isAsked, set };
}
