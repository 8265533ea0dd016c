import type { ReactNode } from 'react';
import type { Inspection, ReadFields } from '../../../lib/contract/calls/review-calls.ts';
import {
  AUTHORED,
  FIELD_NAMES,
  isSameValue,
  valueOf,
  type FieldName,
} from '../../../lib/contract/rules/authored-fields.ts';
import { factOf } from '../../editor/history/fact-of.ts';

/** A value that changed: the former one struck out, and the new one highlighted. */
export const BeforeAfter = ({ before, after }: { before: ReactNode; after: ReactNode }) => (
  <>
    <del className="text-vermilion">{before}</del>
    <span className="text-soft"> → </span>
    <ins className="bg-wash no-underline">{after}</ins>
  </>
);

/** Fields that a dialog shows by themselves, or that staff does not see. */
const OTHERS: readonly FieldName[] = ['title', 'content', 'secret'];
const NAMES = FIELD_NAMES.filter((name) => !OTHERS.includes(name));

/** Fields of the last decision, or of the item. */
export type SomeFields = NonNullable<NonNullable<Inspection['judged']>['fields']>;
type Titles = Inspection['series_titles'];

/** Earlier releases stored a part of the fields with a decision; the others count as unchanged. */
const changedNames = (before: SomeFields, after: ReadFields): FieldName[] =>
  NAMES.filter(
    (name) => before[name] !== undefined && !isSameValue(valueOf(before, name), valueOf(after, name)),
  );

export const hasChanges = (before: SomeFields, after: ReadFields): boolean =>
  changedNames(before, after).length > 0;

/** Changed fields of an article besides title and text, before and after; nothing if none changed. */
export function FieldChanges({
  before,
  after,
  titles,
}: {
  before: SomeFields;
  after: ReadFields;
  titles: Titles;
}) {
  const changed = changedNames(before, after);
  if (changed.length === 0) return null;
  return (
    <dl className="m-0 mb-2 grid gap-1">
      {changed.map((name) => (
        <div key={name}>
          <dt className="inline text-soft">{AUTHORED[name].label}：</dt>
          <dd className="inline m-0" dir="auto">
            <BeforeAfter
              before={<Value name={name} fields={before} titles={titles} />}
              after={<Value name={name} fields={after} titles={titles} />}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** All fields of an article besides title and text that are not empty. */
export function FieldList({ fields, titles }: { fields: ReadFields; titles: Titles }) {
  const filled = NAMES.filter((name) => !isSameValue(valueOf(fields, name), valueOf({}, name)));
  if (filled.length === 0) return null;
  return (
    <dl className="m-0 mt-2 grid gap-1 text-soft">
      {filled.map((name) => (
        <div key={name}>
          <dt className="inline">{AUTHORED[name].label}：</dt>
          <dd className="inline m-0" dir="auto">
            <Value name={name} fields={fields} titles={titles} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ name, fields, titles }: { name: FieldName; fields: SomeFields; titles: Titles }) {
  const value = valueOf(fields, name);
  if (name === 'cover' && typeof value === 'string' && value !== '')
    return <img src={value} alt="封面" loading="lazy" className="picture inline-block h-20 max-w-full" />;
  if (name === 'series' && value !== '')
    return <bdi>{titles.find(({ _id }) => _id === value)?.title ?? '没有'}</bdi>;
  return <bdi>{factOf(name, value)}</bdi>;
}
