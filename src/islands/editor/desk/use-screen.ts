import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';

/** Width from which source and preview are shown side by side. Must match styles/editor.css. */
const WIDE = '(min-width: 1024px)';

export function useQuery(media: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(media);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(media).matches,
  );
}

export const useIsWide = (): boolean => useQuery(WIDE);

/** Calls `press` for every key press on the page. */
export function useKeyDown(press: (event: KeyboardEvent) => void): void {
  const onKeyDown = useEffectEvent(press);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/**
 * Layout of the editor: the full window, the full window with only the text, or null for its place in the
 * page.
 */
export type Room = 'full' | 'focus' | null;

/** Shortcut of the focus mode, the same as in Typora. */
export const FOCUS_KEY = 'F8';

/**
 * Layout of the editor, and its setter. Escape resets it, unless an element inside handles the key.
 * `FOCUS_KEY` toggles the focus mode.
 */
export function useRoom(): [room: Room, set: (room: Room) => void] {
  const [room, setRoom] = useState<Room>(null);
  const isWhole = room !== null;
  useEffect(() => {
    if (!isWhole) return undefined;
    const around = [...document.querySelectorAll('body > header, body > footer')];
    for (const element of around) element.toggleAttribute('inert', true);
    document.documentElement.classList.add('desk-is-full');
    return () => {
      for (const element of around) element.toggleAttribute('inert', false);
      document.documentElement.classList.remove('desk-is-full');
    };
  }, [isWhole]);
  useKeyDown((event) => {
    // Checked first: searching for dialogs takes half a millisecond next to a long preview, on each key.
    if (event.key !== 'Escape' && event.key !== FOCUS_KEY) return;
    if (event.isComposing || hasUse(event)) return;
    if (event.key === 'Escape') return setRoom(null);
    event.preventDefault();
    setRoom((old) => (old === 'focus' ? null : 'focus'));
  });
  return [room, setRoom];
}

function hasUse(event: KeyboardEvent): boolean {
  const isOpen = document.querySelector('[role=dialog], [role=alertdialog]') !== null;
  const isList = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
  return event.defaultPrevented || isOpen || isList;
}
