import { asObject, asText, pick, type Metadata } from './front-matter.ts';

/**
 * Returns tags, then categories: from lists, nested lists (Hexo), or text split at commas (Jekyll: spaces).
 */
export function readTags(metadata: Metadata, { isJekyll }: { isJekyll: boolean }): string[] {
  const nested = asObject(pick(metadata, 'taxonomies'));
  const from = (name: string, cutsSpaces: boolean): string[] =>
    [pick(metadata, name), pick(nested, name)].flatMap((value) => flatten(value, cutsSpaces));
  return [
    ...from('tags', isJekyll),
    ...from('tag', false),
    ...from('标签', false),
    ...from('categories', isJekyll),
    ...from('category', false),
    ...from('分类', false),
  ].filter((name) => name !== '');
}

function flatten(value: unknown, cutsSpaces: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => flattenItem(item));
  const text = asText(value);
  if (text === '') return [];
  const parts = text.split(/[,，、;；]/).map((part) => part.trim());
  return parts.length === 1 && cutsSpaces ? text.split(/\s+/) : parts;
}

const flattenItem = (item: unknown): string[] =>
  Array.isArray(item) ? item.flatMap((inner: unknown) => flattenItem(inner)) : [asText(item)];

/** Returns the categories of front matter; nested categories (Hexo) are separate names. */
export const readCategories = (metadata: Metadata): string[] =>
  [pick(metadata, 'categories'), pick(metadata, 'category'), pick(metadata, '分类')]
    .flatMap((value) => flatten(value, false))
    .filter((name) => name !== '');
