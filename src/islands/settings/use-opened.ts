import { useEffect, useRef, useState } from 'react';

/**
 * The form opened in a section, or null. Closing it returns focus to the button that opened it, which has the
 * properties `opener(name)`.
 */
export function useOpened<T extends string>() {
  const [opened, open] = useState<T | null>(null);
  const section = useRef<HTMLDivElement>(null);
  const former = useRef<T | null>(null);
  useEffect(() => {
    const closed = former.current;
    former.current = opened;
    // Focus was in the removed form. If another form was opened instead, that has taken focus itself.
    if (opened !== null || closed === null || document.activeElement !== document.body) return;
    const buttons = [...(section.current?.querySelectorAll<HTMLButtonElement>('button[data-opens]') ?? [])];
    (buttons.find((button) => button.dataset['opens'] === closed) ?? buttons[0])?.focus();
  }, [opened]);
  const opener = (name: T) => ({ 'data-opens': name, onClick: () => open(name) });
  return { opened, section, opener, close: () => open(null) };
}
