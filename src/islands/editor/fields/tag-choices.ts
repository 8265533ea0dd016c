import { BOUNDS, countCharacters } from '../../../lib/contract/rules/bounds.ts';
import { bestFirst } from '../pickers/best-first.ts';

/** Tag to choose. `isNew` marks the search text itself, which is not a tag yet. */
export interface Choice {
  name: string;
  isNew?: boolean;
}

/**
 * Returns the tags that match a search, ignoring case: an exact match, prefix matches, other matches, and
 * last a new tag if no tag has that name. Includes chosen tags, which can be removed here.
 */
export function choicesOf(all: readonly string[], chosen: readonly string[], query: string): Choice[] {
  const names = new Set([...chosen, ...all]);
  const wanted = query.trim().normalize('NFC');
  // The exact match precedes tags that differ from it in case only.
  const inOrder = names.has(wanted) ? new Set([wanted, ...names]) : names;
  const matches = bestFirst([...inOrder], wanted.toLowerCase(), (name) => [name.toLowerCase()]);
  const found = matches.map((name): Choice => ({ name }));
  const isFree = wanted !== '' && countCharacters(wanted) <= BOUNDS.tag[1] && !names.has(wanted);
  return isFree ? [...found, { name: wanted, isNew: true }] : found;
}
