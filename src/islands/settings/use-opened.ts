import { useRef, useState, type RefObject } from 'react';

/** What is open in a section, if anything; closed, the focus goes back to the button that opened it. */
export function useOpened<T extends string>(): {
  opened: T | null;
  open(name: T): void;
  close(): void;
  section: RefObject<HTMLDivElement | null>;
} {
  const [opened, setOpened] = useState<T | null>(null);
  const section = useRef<HTMLDivElement>(null);
  return {
    opened,
    section,
    open: setOpened,
    close() {
      const name = opened;
      setOpened(null);
      // The form with the focus is gone.
      setTimeout(() => {
        const buttons = section.current?.querySelectorAll<HTMLButtonElement>('button[data-opens]');
        ([...(buttons ?? [])].find((button) => button.dataset['opens'] === name) ?? buttons?.[0])?.focus();
      });
    },
  };
}
