import { useEffect, useState, useSyncExternalStore } from 'react';

/** From here on source and preview stand side by side; as in styles/editor.css. */
const WIDE = '(min-width: 1024px)';

/** Whether there is room for source and preview side by side. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(WIDE).matches,
  );
}

/** Whether the editor has the whole window. Escape ends it, unless something inside has a use for the key. */
export function useFullScreen(): [isFull: boolean, set: (isFull: boolean) => void] {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return undefined;
    const around = [...document.querySelectorAll('body > header, body > footer')];
    for (const element of around) element.toggleAttribute('inert', true);
    document.documentElement.classList.add('desk-is-full');
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing && !hasUse(event)) setFull(false);
    };
    addEventListener('keydown', leave);
    return () => {
      removeEventListener('keydown', leave);
      for (const element of around) element.toggleAttribute('inert', false);
      document.documentElement.classList.remove('desk-is-full');
    };
  }, [isFull]);
  return [isFull, setFull];
}

/** Whether Escape closes something nearer: a dialog, a list of tags, the search of the text. */
function hasUse(event: KeyboardEvent): boolean {
  const isOpen = document.querySelector('[role=dialog], [role=alertdialog]') !== null;
  const isList = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
  return event.defaultPrevented || isOpen || isList;
}
