import { FIELD_NAMES, isEmpty, specOf, valueOf, type Authored } from '../contract/rules/authored-fields.ts';

export type FrontMatterValue =
  | string
  | number
  | boolean
  | null
  | readonly FrontMatterValue[]
  | { readonly [name: string]: FrontMatterValue };

/**
 * Writes an article as a file that `moye import` and other sites' generators read: YAML front matter, then
 * the text. Values are JSON, which YAML 1.2 accepts. Empty fields other than tags are left out.
 * @param facts further front matter fields, under the names that generators know
 */
export function toMarkdownFile(
  fields: Authored,
  facts: Readonly<Record<string, FrontMatterValue>> = {},
): string {
  const lines = FIELD_NAMES.filter((name) => name !== 'content' && name !== 'series').flatMap((name) => {
    const value = valueOf(fields, name);
    return isEmpty(value) && specOf(name).kind !== 'names' ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
  const others = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, ...others, '---', '', fields.content, ''].join('\n');
}
