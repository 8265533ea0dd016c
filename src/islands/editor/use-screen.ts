import { useEffect, useState, useSyncExternalStore } from 'react';

/** From here on source and preview stand side by side; as in styles/editor.css. */
const WIDE = '(min-width: 1024px)';

/** Whether the window answers to a media query, now and when that changes. */
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

/** Whether there is room for source and preview side by side. */
export const useIsWide = (): boolean => useQuery(WIDE);

/** What the editor has beyond its place in the page: the whole window, or all of it for the text alone. */
export type Room = 'full' | 'focus' | null;

/** The key of the focus mode; writers know it from Typora. */
export const FOCUS_KEY = 'F8';

/**
 * How much room the editor has, and what changes that. Escape gives the room back, unless something inside
 * has a use for the key; `FOCUS_KEY` turns the focus mode on and off.
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
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // Asked first: to look for dialogs takes half a millisecond beside a long preview, at each key typed.
      if (event.key !== 'Escape' && event.key !== FOCUS_KEY) return;
      if (event.isComposing || hasUse(event)) return;
      if (event.key === 'Escape') return setRoom(null);
      event.preventDefault();
      setRoom((old) => (old === 'focus' ? null : 'focus'));
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return [room, setRoom];
}

/** Whether the key is for something nearer, as Escape is: a dialog, a list of tags, the text's search. */
function hasUse(event: KeyboardEvent): boolean {
  const isOpen = document.querySelector('[role=dialog], [role=alertdialog]') !== null;
  const isList = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
  return event.defaultPrevented || isOpen || isList;
}
