import type { ReactNode } from 'react';

/** Part of the reader that scrolls by itself. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section
      className="max-h-[45vh] p-4 overflow-y-auto border border-solid border-line rounded text-[0.9375rem] leading-[1.75]"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
      tabIndex={0}
      aria-label={name}
    >
      <h3 className="m-0 mb-2 text-sm text-soft font-400">{name}</h3>
      {children}
    </section>
  );
}
