import type { ReactNode } from 'react';
import { Manuscript } from './Manuscript.tsx';

/** What stands where nothing is yet: blank manuscript paper, a sentence that helps, and what to do next. */
export function EmptyState({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <div className="py-10">
      <Manuscript cells={7} />
      <p className="mt-5 text-soft">{message}</p>
      {children}
    </div>
  );
}
