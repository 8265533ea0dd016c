import { useId, type ReactNode } from 'react';

interface Props {
  /** Where links to it lead. */
  id?: string;
  title: string;
  /** What stands beside the title: how it is now, or buttons for all of it. */
  beside?: ReactNode;
  /** Around it. */
  className?: string;
  children: ReactNode;
}

/** A part of the settings or of a console page, under a heading of its own. */
export function Section({ id, title, beside, className = '', children }: Props) {
  const headingId = useId();
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      className={`hairline py-7 [:not(section)+&]:mt-7 ${className}`}
    >
      <div className="flex flex-wrap items-center gap-x-3 mb-2">
        <h2 id={headingId} className="section-title">
          {title}
        </h2>
        {beside}
      </div>
      {children}
    </section>
  );
}
