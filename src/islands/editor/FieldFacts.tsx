import {
  AUTHORED,
  FIELD_NAMES,
  specOf,
  valueOf,
  type FieldName,
} from '../../lib/contract/authored-fields.ts';
import { LICENCES } from '../../lib/contract/licences.ts';
import type { DraftFields } from '../../lib/stores/draft.ts';
import { COVER_FRAME } from '../ui/CoverField.tsx';

const EXTRAS = FIELD_NAMES.filter((name) => specOf(name).isExtra);

interface Props {
  fields: DraftFields;
  other: DraftFields;
}

/** The settings of a version beside those of another one; what differs has the ground of lines that do. */
export function FieldFacts({ fields, other }: Props) {
  return EXTRAS.map((name) => {
    const [own, others] = [valueOf(fields, name), valueOf(other, name)];
    if (!own && !others) return null;
    return (
      <div key={name} className={`mt-2 ${own === others ? '' : 'version-own'}`} dir="auto">
        <span className="text-soft">{AUTHORED[name].label}：</span>
        {name === 'cover' && own ? (
          <img src={String(own)} alt="这一份的封面" className={`${COVER_FRAME} object-cover`} />
        ) : (
          factOf(name, own)
        )}
      </div>
    );
  });
}

/** A field's value in words, `没有` where it is empty. */
export function factOf(name: FieldName, value: string | boolean | string[]): string {
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (value.length === 0) return '没有';
  if (name === 'licence') return LICENCES[String(value)]?.name ?? '';
  // Its title is not part of the version.
  if (name === 'series') return '已选';
  return Array.isArray(value) ? value.join('、') : value;
}
