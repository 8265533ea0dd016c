import type { Tag } from './tag.ts';

const ROOTS = /^(?:site\.(?:baseurl|url|github\.url)|config\.(?:root|url)|theme\.baseurl)$/;
const ADDRESS_FILTERS =
  /^\|\s*(?:relative_url|absolute_url|prepend:\s*site\.(?:baseurl|url)|uri_escape|escape)\b/;

/**
 * Removes `{{ site.baseurl }}`, which leaves an address from the site's root, and replaces `{{ '/a.png' |
 * relative_url }}` with its address; null for all other outputs.
 */
export function writeOutput({ name, source }: Tag): string | null {
  if (ROOTS.test(name)) return '';
  const text = /^(["'])(.*)\1$/s.exec(name)?.[2];
  if (text === undefined) return null;
  const filters = source.split(/(?=\|)/).map((filter) => filter.trim());
  if (!filters.every((filter) => ADDRESS_FILTERS.test(filter))) return null;
  return text.startsWith('/') || /^[a-z]+:/i.test(text) ? text : `/${text}`;
}
