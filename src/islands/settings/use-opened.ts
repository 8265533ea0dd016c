import { useEffect, useRef, useState, type RefObject } from 'react';

/** What is open in a section, if anything; closed, the focus goes back to the button that opened it. */
export function useOpened<T extends string>(): {
  opened: T | null;
  open(name: T): void;
  close(): void;
  section: RefObject<HTMLDivElement | null>;
} {
  const [opened, open] = useState<T | null>(null);
  const section = useRef<HTMLDivElement>(null);
  const former = useRef<T | null>(null);
  useEffect(() => {
    const closed = former.current;
    former.current = opened;
    // The form with the focus is gone; what was opened instead has taken the focus itself.
    if (opened !== null || closed === null || document.activeElement !== document.body) return;
    const buttons = [...(section.current?.querySelectorAll<HTMLButtonElement>('button[data-opens]') ?? [])];
    (buttons.find((button) => button.dataset['opens'] === closed) ?? buttons[0])?.focus();
  }, [opened]);
  return { opened, section, open, close: () => open(null) };
}
