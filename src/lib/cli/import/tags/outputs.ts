import type { Tag } from './tag.ts';

/** Where the site is: addresses of the text begin with it. */
const ROOTS = /^(?:site\.(?:baseurl|url|github\.url)|config\.(?:root|url)|theme\.baseurl)$/;
const ADDRESS_FILTERS =
  /^\|\s*(?:relative_url|absolute_url|prepend:\s*site\.(?:baseurl|url)|uri_escape|escape)\b/;

/**
 * Writes `{{ site.baseurl }}` as nothing, so that an address begins at the site's root, and `{{ '/a.png' |
 * relative_url }}` as its address; null for all else.
 */
export function writeOutput({ name, source }: Tag): string | null {
  if (ROOTS.test(name)) return '';
  const text = /^(["'])(.*)\1$/s.exec(name)?.[2];
  if (text === undefined) return null;
  const filters = source.split(/(?=\|)/).map((filter) => filter.trim());
  if (!filters.every((filter) => ADDRESS_FILTERS.test(filter))) return null;
  return text.startsWith('/') || /^[a-z]+:/i.test(text) ? text : `/${text}`;
}
