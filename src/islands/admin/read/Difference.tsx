import type { ReactNode } from 'react';
import type { Inspection, ReadFields } from '../../../lib/contract/calls/review-calls.ts';
import { WordDifference } from '../../editor/history/WordDifference.tsx';
import { FieldChanges, type SomeFields } from './FieldChanges.tsx';

/** Part of the reader that scrolls by itself. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section
      className="max-h-[45vh] p-4 overflow-y-auto border border-solid border-line rounded text-[0.9375rem] leading-[1.75]"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
      tabIndex={0}
      aria-label={name}
    >
      <h3 className="m-0 mb-2 text-sm text-soft font-400">{name}</h3>
      {children}
    </section>
  );
}

interface Text {
  title: string;
  content: string;
  fields?: SomeFields | undefined;
}

export interface DifferenceProps {
  name: string;
  before: Text;
  after: Text & { fields?: ReadFields | undefined };
  titles: Inspection['series_titles'];
}

/** Two states of an item, with their differences marked. */
export function Difference({ name, before, after, titles }: DifferenceProps) {
  return (
    <Part name={name}>
      {after.title !== '' && before.title !== after.title && (
        <p className="mb-2" dir="auto">
          <span className="text-soft">标题：</span>
          <del className="text-vermilion">{before.title}</del>{' '}
          <ins className="bg-wash no-underline">{after.title}</ins>
        </p>
      )}
      {before.fields && after.fields && (
        <FieldChanges before={before.fields} after={after.fields} titles={titles} />
      )}
      <WordDifference before={before.content} after={after.content} />
    </Part>
  );
}
