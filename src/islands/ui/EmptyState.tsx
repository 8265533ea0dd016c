import type { ReactNode } from 'react';
import { Manuscript } from './Manuscript.tsx';

export function EmptyState({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <div className="py-10">
      <Manuscript cells={7} />
      <p className="mt-5 text-soft">{message}</p>
      {children}
    </div>
  );
}
