import type { JsonSchema } from '../../lib/contract/openapi/schemas.ts';

/** Part of a sentence about values: text, or the name of a component to link to. */
export type ValuePart = string | { component: string };

export interface FieldRow {
  /** Path of the field, such as `links[].text`. */
  name: string;
  isRequired: boolean;
  title: string;
  description: string | undefined;
  values: ValuePart[];
}

const PREFIX = '#/components/schemas/';

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '时间',
  date: '日期',
  binary: '文件',
  email: '邮箱',
};
const TYPES: Readonly<Record<string, string>> = {
  string: '文本',
  integer: '整数',
  number: '数',
  boolean: 'true 或 false',
  array: '列表',
  object: '对象',
  null: 'null',
};

const show = (value: unknown) =>
  value === '' ? '空' : typeof value === 'string' ? value : JSON.stringify(value);

/** Returns a range such as `，1–120 字`; '' without bounds. */
function range(unit: string, least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined)
    return least === most ? `，${most}${unit}` : `，${least}–${most}${unit}`;
  if (most !== undefined) return `，最多 ${most}${unit}`;
  return least === undefined ? '' : `，至少 ${least}${unit}`;
}

const isSchema = (part: unknown): part is JsonSchema => typeof part === 'object' && part !== null;

const joined = (schemas: readonly JsonSchema[]): ValuePart[] =>
  schemas.flatMap((schema, at) => [...(at === 0 ? [] : ['，或 ']), ...valuesOf(schema)]);

function plainValues(schema: JsonSchema): string {
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return '任意的值';
  const named = types.map(
    (type) => (type === 'string' && FORMATS[schema.format ?? '']) || (TYPES[type] ?? type),
  );
  return [
    named.join(' 或 '),
    range(' 字', schema.minLength, schema.maxLength),
    range('', schema.minimum, schema.maximum),
    range(' 项', schema.minItems, schema.maxItems),
  ].join('');
}

/** Describes in Chinese which values a schema accepts. */
export function valuesOf(schema: JsonSchema): ValuePart[] {
  if (schema.$ref !== undefined) return [{ component: schema.$ref.slice(PREFIX.length) }];
  if (schema.const !== undefined) return [show(schema.const)];
  if (schema.enum) return [schema.enum.map(show).join('、')];
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return joined(options);
  const items = schema.type === 'array' && isSchema(schema.items) ? schema.items : undefined;
  if (!items || items.properties) return [plainValues(schema)];
  return [`${plainValues(schema)}，每项是 `, ...valuesOf(items)];
}

/** Returns the object in a field, if any, and how the names of its fields begin. */
function objectIn(field: JsonSchema, name: string): [schema: JsonSchema, prefix: string] {
  const option = field.anyOf?.find(({ properties }) => properties) ?? field;
  return option.type === 'array' && isSchema(option.items)
    ? [option.items, `${name}[].`]
    : [option, `${name}.`];
}

/** Returns the fields of an object, each followed by the fields of objects in it. */
export function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): FieldRow[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    if (!isSchema(field)) return [];
    const name = prefix + key;
    const { title = '', description } = field;
    const row = { name, isRequired: required.includes(key), title, description, values: valuesOf(field) };
    return [row, ...rowsOf(...objectIn(field, name))];
  });
}

/** Alternatives of an object, such as the members of a discriminated union; usually one. */
export const variantsOf = (schema: JsonSchema): JsonSchema[] => schema.oneOf ?? [schema];

function exampleOf(schema: JsonSchema, name: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((value) => value !== '');
  const type = [schema.type].flat()[0];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return schema.default ?? schema.minimum ?? 1;
  if (type === 'array') return isSchema(schema.items) ? [exampleOf(schema.items, name)] : [];
  if (type === 'object') return fieldsExample(schema);
  if (schema.format === 'date-time') return '2026-12-01T08:00:00Z';
  if (schema.format === 'email') return 'name@example.com';
  if (schema.pattern?.includes('{24}')) return '65f0c0ffee0123456789abcd';
  return schema.title ?? name;
}

/** Fields shown in examples of calls that require none. */
const EXAMPLE_FIELDS = 3;

/** Returns example values of the required fields of an object, or of its first fields if none is required. */
export function fieldsExample(schema: JsonSchema): Record<string, unknown> {
  const { properties = {}, required = [] } = variantsOf(schema)[0] ?? {};
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, EXAMPLE_FIELDS);
  return Object.fromEntries(
    names.map((name) => [name, isSchema(properties[name]) ? exampleOf(properties[name], name) : null]),
  );
}
