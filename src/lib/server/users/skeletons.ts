import { readFileSync } from 'node:fs';
import { foldName } from '../../contract/names.ts';

/** Skeletons of a name as compared, and as readers see it. Names that share one look alike. */
export interface Skeletons {
  folded: string;
  written: string;
}

/** Raised with confusables.txt or the recipe below: then `fillSkeletons` makes stored ones anew. */
export const SKELETON_VERSION = 1;

const PROTOTYPES = readPrototypes();

/**
 * A username's skeletons; names that share one are confusable. `folded` finds look-alikes in any case
 * (`аlice` with a Cyrillic а), `written` those that only the case hides (`paypaI` with a capital I, `B0B` and
 * `BOB`).
 */
export function skeletonsOf(name: string): Skeletons {
  return {
    folded: foldName(skeleton(foldName(name))),
    written: foldName(skeleton(name.normalize('NFKC'))),
  };
}

/** `internalSkeleton` of UTS #39, section 4: names hold no bidirectional controls. */
function skeleton(text: string): string {
  const visible = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return [...visible].map(prototypeOf).join('').normalize('NFD');
}

/** The character that `character` looks like (UTS #39), itself where it is like no other. */
export const prototypeOf = (character: string): string => PROTOTYPES.get(character) ?? character;

function readPrototypes(): Map<string, string> {
  const lines = readFileSync(new URL('./confusables.txt', import.meta.url), 'utf8').split('\n');
  const characters = (hex: string) =>
    String.fromCodePoint(...hex.split(' ').map((code) => Number.parseInt(code, 16)));
  const prototypes = new Map<string, string>();
  for (const line of lines) {
    const [source, target] = line.split(';');
    if (source && target && !line.startsWith('#')) prototypes.set(characters(source), characters(target));
  }
  return prototypes;
}
