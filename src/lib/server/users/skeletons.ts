import { foldName } from '../../contract/rules/names.ts';
import { prototypeOf } from '../text/confusables.ts';
import { toSimplified } from '../text/simplified.ts';

/** Skeletons of a name as compared, and as displayed. Names that share one look alike. */
export interface Skeletons {
  folded: string;
  written: string;
}

/**
 * Increased with changes of confusables.txt or the recipe below: `fillSkeletons` then recomputes stored ones.
 */
export const SKELETON_VERSION = 2;

/**
 * Returns the skeletons of a username; names that share one are confusable. `folded` finds look-alikes in any
 * case (`аlice` with a Cyrillic а), `written` those that only the case hides (`paypaI` with a capital I,
 * `B0B` and `BOB`). Both are simplified, so a name has one skeleton in both Chinese scripts.
 */
export function skeletonsOf(name: string): Skeletons {
  return {
    folded: foldName(skeleton(foldName(name))),
    written: foldName(skeleton(name.normalize('NFKC'))),
  };
}

/**
 * `internalSkeleton` of UTS #39, section 4, of simplified characters; names contain no bidirectional
 * controls.
 */
function skeleton(text: string): string {
  const visible = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return [...visible].map(formOf).join('').normalize('NFD');
}

/** The prototype of a traditional character, or of a look-alike of one, is simplified too. */
const formOf = (character: string): string =>
  /\p{Script=Han}/u.test(character)
    ? toSimplified(prototypeOf(toSimplified(character)))
    : prototypeOf(character);
