import {
  AUTHORED,
  FIELD_NAMES,
  isSameValue,
  valueOf,
  type FieldName,
  type FieldValue,
} from '../../../lib/contract/rules/authored-fields.ts';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import type { DraftFields } from '../../../lib/stores/draft/draft.ts';
import { lineDifference, linesOf, wordMarker, type Part } from '../history/word-difference.ts';

export type Choice = 'mine' | 'theirs' | 'both';

interface TextPiece {
  kind: 'text';
  mine: string;
  theirs: string;
  /** Word diff: `removed` is only in mine, `added` only in theirs. */
  words: readonly Part[];
}
interface SettingPiece {
  kind: 'setting';
  name: FieldName;
  mine: FieldValue;
  theirs: FieldValue;
  words: readonly Part[];
}
export type Piece = TextPiece | SettingPiece;
interface SameText {
  kind: 'same';
  text: string;
}

export interface Comparison {
  settings: readonly SettingPiece[];
  text: readonly (TextPiece | SameText)[];
  /** Everything to choose: settings first, then places of the text. */
  pieces: readonly Piece[];
}

/** Maximum pieces: above this number, neighbours are joined. */
const MAX_PIECES = 60;

/** Compares two versions, in bounded time (word-difference.ts) and with a bounded number of pieces. */
export function compareVersions(mine: DraftFields, theirs: DraftFields): Comparison {
  const wordsOf = wordMarker();
  const settings = FIELD_NAMES.flatMap((name): SettingPiece[] => {
    const [own, other] = [valueOf(mine, name), valueOf(theirs, name)];
    if (name === 'content' || isSameValue(own, other)) return [];
    const words = AUTHORED[name].kind === 'text' ? wordsOf(String(own), String(other)) : [];
    return [{ kind: 'setting', name, mine: own, theirs: other, words }];
  });
  const text = joined(placesOf(mine.content, theirs.content)).map((place): TextPiece | SameText =>
    place.kind === 'same' ? place : { ...place, words: wordsOf(place.mine, place.theirs) },
  );
  return { settings, text, pieces: [...settings, ...text.filter((place) => place.kind === 'text')] };
}

type Place = Omit<TextPiece, 'words'> | SameText;

function placesOf(mine: string, theirs: string): Place[] {
  const places: Place[] = [];
  for (const { kind, text } of lineDifference(mine, theirs)) {
    if (kind === 'same') {
      places.push({ kind, text });
      continue;
    }
    let last = places.at(-1);
    if (last?.kind !== 'text') places.push((last = { kind: 'text', mine: '', theirs: '' }));
    if (kind === 'removed') last.mine += text;
    else last.theirs += text;
  }
  return places;
}

/** Joins the places with the fewest unchanged lines between them until at most `MAX_PIECES` remain. */
function joined(places: Place[]): Place[] {
  let found = places;
  for (let gap = 1; found.filter(({ kind }) => kind === 'text').length > MAX_PIECES; gap *= 2) {
    const next: Place[] = [];
    for (const [index, place] of found.entries()) {
      const last = next.at(-1);
      const isBetween = last?.kind === 'text' && index < found.length - 1;
      if (place.kind === 'text' && last?.kind === 'text') {
        last.mine += place.mine;
        last.theirs += place.theirs;
      } else if (place.kind === 'same' && isBetween && linesOf(place.text).length <= gap) {
        last.mine += place.text;
        last.theirs += place.text;
      } else next.push({ ...place });
    }
    found = next;
  }
  return found;
}

export const canBeBoth = (piece: Piece): boolean =>
  piece.kind === 'text' ? piece.mine !== '' && piece.theirs !== '' : Array.isArray(piece.mine);

function chosenText({ mine, theirs }: TextPiece, choice: Choice): string {
  if (choice !== 'both') return choice === 'mine' ? mine : theirs;
  return mine === '' || mine.endsWith('\n') ? mine + theirs : `${mine}\n${theirs}`;
}

/**
 * Returns the text with the choices made so far. Undecided places become `open(piece)`, where `piece` is the
 * index among all pieces.
 */
export function mergedText(
  { settings, text }: Comparison,
  choices: readonly (Choice | undefined)[],
  open: (piece: number) => string,
): string {
  let at = settings.length;
  return text
    .map((place) => {
      if (place.kind === 'same') return place.text;
      const piece = at++;
      const choice = choices[piece];
      return choice ? chosenText(place, choice) : open(piece);
    })
    .join('');
}

/**
 * Returns the version that results from all choices. With both chosen, tags are cut to the limit of an
 * article.
 */
export function mergedFields(
  mine: DraftFields,
  comparison: Comparison,
  choices: readonly Choice[],
): DraftFields {
  const settings = comparison.settings.map((setting, at) => [
    setting.name,
    chosenSetting(setting, choices[at] ?? 'mine'),
  ]);
  const content = mergedText(comparison, choices, () => '');
  return { ...mine, ...(Object.fromEntries(settings) as Partial<DraftFields>), content };
}

function chosenSetting({ mine, theirs }: SettingPiece, choice: Choice): FieldValue {
  if (choice !== 'both' || !Array.isArray(mine) || !Array.isArray(theirs))
    return choice === 'theirs' ? theirs : mine;
  return [...new Set([...mine, ...theirs])].slice(0, BOUNDS.tags[1]);
}
