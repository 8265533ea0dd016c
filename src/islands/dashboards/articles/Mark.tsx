import type { ReactNode } from 'react';

/** A mark after the title of an article. The space ends a line instead of indenting a wrapped mark. */
export const Mark = ({ children }: { children: ReactNode }) => (
  <>
    {' '}
    <span className="badge ml-1 align-middle tabular-nums">{children}</span>
  </>
);
