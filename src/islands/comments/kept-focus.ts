import { useLayoutEffect, useMemo } from 'react';
import { COMMENTS_ID } from '../../components/ids.ts';

/** Where focus is among the comments: the nearest element with an id, and the link inside it. */
interface Place {
  id: string;
  href: string | null;
}

/** Puts focus back to the same link of the same comment when one drawing of the list gives way to the next, `drawing`. */
export function useKeptFocus(drawing: string): void {
  // Read while React renders: the former drawing still stands.
  const place = useMemo(() => focusedPlace(drawing), [drawing]);
  useLayoutEffect(() => {
    if (place === null || document.activeElement !== document.body) return;
    const holder = document.getElementById(place.id);
    const links = [...(holder?.querySelectorAll('a') ?? [])];
    const target = links.find((link) => link.getAttribute('href') === place.href) ?? holder;
    target?.focus({ preventScroll: true });
  }, [place]);
}

function focusedPlace(_drawing: string): Place | null {
  const { activeElement } = document;
  const holder = activeElement?.closest('[id]');
  if (!holder || !document.getElementById(COMMENTS_ID)?.contains(activeElement)) return null;
  return { id: holder.id, href: activeElement?.getAttribute('href') ?? null };
}
