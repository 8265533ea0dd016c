import type { ReactNode, RefObject } from 'react';

interface Props {
  /** From `useOpened`, for the focus. */
  section: RefObject<HTMLDivElement | null>;
  name: ReactNode;
  meta?: ReactNode;
  /** Buttons, of which some open a form. */
  actions: ReactNode;
  /** The opened form, below the row. */
  children: ReactNode;
}

/** Row of a list whose actions open a form below it (`useOpened`). */
export function FormRow({ section, name, meta, actions, children }: Props) {
  return (
    <li className="py-2">
      <div ref={section}>
        <div className="flex flex-wrap items-center gap-x-4">
          <div className="flex-1 min-w-0">
            <p className="leading-snug [overflow-wrap:anywhere]">{name}</p>
            {meta && <p className="meta">{meta}</p>}
          </div>
          {actions}
        </div>
        {children}
      </div>
    </li>
  );
}
