import type { ReactNode } from 'react';

const cells = Array.from({ length: 7 }, (_, index) => index);

/** EmptyState.astro for islands: blank manuscript paper, a sentence that helps, and what to do next. */
export function Empty({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <div className="py-10">
      <div
        className="grid grid-flow-col w-max max-w-full pl-px py-1 border-0 border-y border-solid border-line"
        aria-hidden="true"
      >
        {cells.map((cell) => (
          <span key={cell} className="w-9 h-9 ml--px border border-solid border-line" />
        ))}
      </div>
      <p className="mt-5 text-soft">{message}</p>
      {children && <div className="mt-6">{children}</div>}
    </div>
  );
}
