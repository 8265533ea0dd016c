import { BOUNDS, countCharacters } from '../../../lib/contract/rules/bounds.ts';

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
  const names = [...new Set([...chosen, ...all])];
  const wanted = query.trim().normalize('NFC');
  const folded = wanted.toLowerCase();
  const rank = (name: string) => {
    const text = name.toLowerCase();
    if (name === wanted) return 0;
    if (text === folded) return 1;
    return text.startsWith(folded) ? 2 : text.includes(folded) ? 3 : 4;
  };
  const found = names
    .map((name, index) => ({ name, index, rank: rank(name) }))
    .filter((entry) => entry.rank < 4)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ name }): Choice => ({ name }));
  const isFree = wanted !== '' && countCharacters(wanted) <= BOUNDS.tag[1] && !names.includes(wanted);
  return isFree ? [...found, { name: wanted, isNew: true }] : found;
}
