import { useId, type ReactNode } from 'react';

interface Props {
  /** Where links to it lead. */
  id?: string;
  title: string;
  /** What stands beside the title: how it is now. */
  state?: ReactNode;
  children: ReactNode;
}

/** A part of the settings. */
export function Section({ id, title, state, children }: Props) {
  const headingId = useId();
  return (
    <section id={id} aria-labelledby={headingId} className="hairline py-7">
      <div className="flex flex-wrap items-center gap-x-3 mb-2">
        <h2 id={headingId} className="section-title">
          {title}
        </h2>
        {state}
      </div>
      {children}
    </section>
  );
}
