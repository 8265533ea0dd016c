import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  /** What stands beside the title: how it is now. */
  state?: ReactNode;
  children: ReactNode;
}

/** A part of the settings. */
export function Section({ title, state, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="hairline py-7">
      <div className="flex flex-wrap items-center gap-x-3 mb-2">
        <h2 id={id} className="section-title">
          {title}
        </h2>
        {state}
      </div>
      {children}
    </section>
  );
}
