import { BOUNDS } from './bounds.ts';
import { licenceRule } from './licences.ts';
import { nameRule, pictureRule, type TextRule } from './names.ts';
import { SLUG_BOUNDS, slugRule } from './slugs.ts';

interface Values {
  text: string;
  names: string[];
  switch: boolean;
}
type Kind = keyof Values;

export interface FieldSpec {
  readonly kind: Kind;
  readonly label: string;
  /** Minimum characters in a published article, and maximum characters. */
  readonly bounds?: readonly [number, number];
  readonly rule?: TextRule;
  /**
   * Clients and servers may not know the field. If absent it is empty; in an edit, absent means unchanged.
   */
  readonly isExtra?: boolean;
}

const sourceRule: TextRule = {
  accepts: (text) => text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text)),
  says: '原文地址应是以 http:// 或 https:// 开头的网址',
};

/** The server checks that the series belongs to the author. */
const seriesRule: TextRule = {
  accepts: (text) => /^(?:[0-9a-f]{24})?$/.test(text),
  says: '专栏编号格式不正确',
  hint: '空，或者自己的一个专栏的编号',
};

/**
 * Fields an author writes (CONTRACT.md). Request bodies, database columns, drafts and imports derive from
 * this table.
 */
export const AUTHORED = {
  title: { kind: 'text', label: '标题', bounds: BOUNDS.title, rule: nameRule('标题') },
  content: { kind: 'text', label: '正文', bounds: BOUNDS.content },
  tags: { kind: 'names', label: '标签' },
  secret: { kind: 'switch', label: '私密' },
  description: { kind: 'text', label: '摘要', bounds: [0, 200], isExtra: true },
  cover: { kind: 'text', label: '封面', bounds: BOUNDS.cover, rule: pictureRule, isExtra: true },
  series: { kind: 'text', label: '专栏', bounds: [0, 24], rule: seriesRule, isExtra: true },
  source: { kind: 'text', label: '原文地址', bounds: [0, 500], rule: sourceRule, isExtra: true },
  licence: { kind: 'text', label: '许可协议', bounds: [0, 30], rule: licenceRule, isExtra: true },
  /** Chosen by the author; without one, the site gives the article one when it becomes public. */
  slug: { kind: 'text', label: '地址', bounds: [0, SLUG_BOUNDS[1]], rule: slugRule, isExtra: true },
  comments_closed: { kind: 'switch', label: '关闭评论', isExtra: true },
  pinned: { kind: 'switch', label: '在主页置顶', isExtra: true },
} as const satisfies Record<string, FieldSpec>;

export type FieldName = keyof typeof AUTHORED;
export type KindOf<N extends FieldName> = (typeof AUTHORED)[N]['kind'];
export type ExtraName = {
  [N in FieldName]: (typeof AUTHORED)[N] extends { isExtra: true } ? N : never;
}[FieldName];

export type Authored = { [N in Exclude<FieldName, ExtraName>]: Values[KindOf<N>] } & {
  [N in ExtraName]?: Values[KindOf<N>] | undefined;
};
export type FieldValue = Values[Kind];

export const FIELD_NAMES = Object.keys(AUTHORED) as FieldName[];

export const specOf = (name: FieldName): FieldSpec => AUTHORED[name];

const EMPTY: Values = { text: '', names: [], switch: false };
export const isEmpty = (value: FieldValue | undefined) =>
  Array.isArray(value) ? value.length === 0 : value === undefined || value === '' || value === false;

export const valueOf = (
  fields: { readonly [N in FieldName]?: Authored[N] | undefined },
  name: FieldName,
): FieldValue => fields[name] ?? EMPTY[AUTHORED[name].kind];

/** All fields, also those that are empty. */
export type AllFields = { [N in FieldName]: Values[KindOf<N>] };

export const allFields = (fields: Partial<Authored>): AllFields =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, valueOf(fields, name)])) as AllFields;

export const extrasOf = (fields: Authored): [FieldName, FieldValue][] =>
  FIELD_NAMES.filter((name) => specOf(name).isExtra && !isEmpty(fields[name])).map((name) => [
    name,
    valueOf(fields, name),
  ]);

/**
 * Copies the authored fields without empty extras, in a fixed order. `rules` change the values of each kind.
 */
export function pickFields(
  fields: Authored,
  rules: { [K in Kind]?: (value: Values[K]) => Values[K] } = {},
): Authored {
  const picked = FIELD_NAMES.map((name): [FieldName, FieldValue] => {
    const change = rules[AUTHORED[name].kind] as ((value: FieldValue) => FieldValue) | undefined;
    const value = valueOf(fields, name);
    return [name, change ? change(value) : value];
  });
  const kept = picked.filter(([name, value]) => !specOf(name).isExtra || !isEmpty(value));
  return Object.fromEntries(kept) as Authored;
}

export const NOTHING: Authored = pickFields({ title: '', content: '', tags: [], secret: false });

export const isUntouched = (fields: Authored) => FIELD_NAMES.every((name) => isEmpty(fields[name]));

export const isSame = (one: Authored, other: Authored) =>
  FIELD_NAMES.every((name) => isSameValue(valueOf(one, name), valueOf(other, name)));

export function isSameValue(one: FieldValue, other: FieldValue): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}

/** Returns fields from database columns, where switches are 0 or 1, and names JSON. */
export function fieldsFromColumns<N extends FieldName>(
  row: Readonly<Record<N, string | number>>,
  names: readonly N[],
): Pick<Authored, N> {
  const fields = names.map((name) => {
    const { kind } = specOf(name);
    const column = row[name];
    if (kind === 'switch') return [name, column === 1];
    return [name, kind === 'names' ? (JSON.parse(String(column)) as string[]) : column];
  });
  return Object.fromEntries(fields) as Pick<Authored, N>;
}

/** Whether stored data has the fields of an article, as this release or an earlier one wrote them. */
export function areFields(data: Record<string, unknown>): boolean {
  const isText = (value: unknown) => typeof value === 'string';
  const checks: Record<Kind, (value: unknown) => boolean> = {
    text: isText,
    names: (value) => Array.isArray(value) && value.every(isText),
    switch: (value) => typeof value === 'boolean',
  };
  return FIELD_NAMES.every((name) => {
    const { kind, isExtra } = specOf(name);
    return (isExtra && data[name] === undefined) || checks[kind](data[name]);
  });
}
