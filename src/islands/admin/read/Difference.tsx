import type { Inspection, ReadFields } from '../../../lib/contract/calls/inspection-call.ts';
import { WordDifference } from '../../editor/history/WordDifference.tsx';
import { FieldChanges, type SomeFields } from './FieldChanges.tsx';
import { Part } from './Part.tsx';

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
