import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  /** Buttons for all of it, beside its title. */
  actions?: ReactNode;
  /** Around it. */
  className?: string;
  children: ReactNode;
}

/** A part of a console page, under a heading of its own. */
export function ConsoleSection({ title, actions, className = '', children }: Props) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={`mt-10 ${className}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 mb-2">
        <h2 id={titleId} className="m-0 text-lg">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
