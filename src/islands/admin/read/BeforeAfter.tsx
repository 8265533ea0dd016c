import type { ReactNode } from 'react';

/** A value that changed: the former one struck out, and the new one highlighted. */
export const BeforeAfter = ({ before, after }: { before: ReactNode; after: ReactNode }) => (
  <>
    <del className="text-vermilion">{before}</del>
    <span className="text-soft"> → </span>
    <ins className="bg-wash no-underline">{after}</ins>
  </>
);
