import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type PointerEvent } from 'react';

/** Delay before a panel closes after the pointer has left (docs/pages.md). */
const CLOSE_DELAY_MS = 300;
const ITEMS = 'a[href], button:not(:disabled)';

/**
 * Button with a panel of links. It opens on hover, focus, click or touch, and closes 300 ms after the pointer
 * has left, on Escape, on a press outside, or when focus moves elsewhere. Arrow keys, Home and End move among
 * the links.
 * @param isReady whether there is a panel
 * @returns props for the element around both (`holder`) and for the button, its first child
 */
export function useFlyout(isReady: boolean) {
  const [isOpen, setOpen] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef(0);
  // Whether the panel was open when the current press started. Focus opens it before the click event.
  const wasOpen = useRef(false);
  const isGivingBack = useRef(false);

  const stay = () => clearTimeout(timer.current);
  const close = () => {
    stay();
    setOpen(false);
  };
  const open = () => {
    stay();
    setOpen(true);
  };
  const giveFocusBack = () => {
    isGivingBack.current = true;
    button.current?.focus();
    isGivingBack.current = false;
  };
  const closeFrom = (inside: boolean) => {
    // Focus is in the panel, which is about to be removed.
    if (inside) giveFocusBack();
    close();
  };
  const hasFocusInPanel = () =>
    holder.current?.contains(document.activeElement) === true && document.activeElement !== button.current;

  useEffect(() => {
    if (!isReady) return undefined;
    // The pointer may have entered before the panel existed.
    if (holder.current?.matches(':hover')) setOpen(true);
    return () => {
      clearTimeout(timer.current);
      setOpen(false);
    };
  }, [isReady]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const press = ({ target }: Event) => {
      if (!holder.current?.contains(target as Node)) setOpen(false);
    };
    // Escape closes a panel that the pointer opened, wherever focus is.
    const escape = ({ key, isComposing }: globalThis.KeyboardEvent) => {
      if (key === 'Escape' && !isComposing && !holder.current?.contains(document.activeElement))
        setOpen(false);
    };
    document.addEventListener('pointerdown', press);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', press);
      document.removeEventListener('keydown', escape);
    };
  }, [isOpen]);

  const move = (event: KeyboardEvent) => {
    const items = [...(holder.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])].slice(1);
    const next = itemAfter(event.key, items.indexOf(document.activeElement as HTMLElement), items.length);
    if (next === undefined) return;
    event.preventDefault();
    open();
    // The panel exists after the next render.
    requestAnimationFrame(() => items[next]?.focus());
  };
  return {
    isOpen,
    close,
    holder: {
      ref: holder,
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && open(),
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'mouse') return;
        stay();
        timer.current = window.setTimeout(() => closeFrom(hasFocusInPanel()), CLOSE_DELAY_MS);
      },
      onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && isOpen) closeFrom(true);
        else move(event);
      },
    },
    button: {
      ref: button,
      onFocus: () => {
        if (!isGivingBack.current) open();
      },
      onPointerDown: ({ pointerType }: PointerEvent) => {
        // A mouse click does not close a panel that hovering has opened.
        wasOpen.current = isOpen && pointerType !== 'mouse';
      },
      onKeyDown: () => {
        wasOpen.current = isOpen;
      },
      onClick: () => {
        if (wasOpen.current) close();
        else open();
        wasOpen.current = false;
      },
    },
  };
}

/**
 * Returns the index that a key moves to from item `at` (-1 for the button) of `count`; undefined for other
 * keys.
 */
function itemAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1;
  if (key === 'Home') return at < 0 ? undefined : 0;
  if (key === 'End') return at < 0 ? undefined : count - 1;
  return undefined;
}
