import { useId, type ReactNode } from 'react';

interface Props {
  id?: string;
  title: string;
  /** Status or actions next to the title. */
  beside?: ReactNode;
  className?: string;
  children: ReactNode;
}

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
