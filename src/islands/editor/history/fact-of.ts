import type { FieldName } from '../../../lib/contract/rules/authored-fields.ts';
import { LICENCES } from '../../../lib/contract/rules/licences.ts';

export function factOf(name: FieldName, value: string | boolean | string[]): string {
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (value.length === 0) return '没有';
  if (name === 'licence') return LICENCES[String(value)]?.name ?? '';
  // The title of the series is not part of the version.
  if (name === 'series') return '已选';
  return Array.isArray(value) ? value.join('、') : value;
}
