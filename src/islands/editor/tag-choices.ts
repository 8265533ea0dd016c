import { BOUNDS, countCharacters } from '../../lib/contract/bounds.ts';

/** A tag to pick; `isNew`: one that does not exist yet, by the name searched for. */
export interface Choice {
  name: string;
  isNew?: boolean;
}

/**
 * What can be picked for a search: the tag of that name, tags that begin with it, tags that contain it, and
 * last, where no tag has the name, a new one. Case does not matter for finding. Chosen tags are among them,
 * so that they can be taken back.
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
