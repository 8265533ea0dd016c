import { useEffect, useRef, type RefObject } from 'react';

/** Focuses the first field, unless the reader is elsewhere or a keyboard would cover half the screen. */
export function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  return field;
}
