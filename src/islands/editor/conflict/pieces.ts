import {
  AUTHORED,
  FIELD_NAMES,
  isSameValue,
  valueOf,
  type FieldName,
  type FieldValue,
} from '../../../lib/contract/rules/authored-fields.ts';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import type { DraftFields } from '../../../lib/stores/draft/draft-types.ts';
import { wordMarker, type Part } from '../history/word-difference.ts';
import { alignTexts, type Place } from './align.ts';

export type Choice = 'mine' | 'theirs' | 'both';

interface TextPiece {
  kind: 'text';
  /** The place at which the versions differ; joined pieces have several, and the lines between them. */
  places: readonly Place[];
  /** Each side as it is shown. */
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
  const text = joined(alignTexts(mine.content, theirs.content)).map((places): TextPiece | SameText => {
    if (places.every(({ isSame }) => isSame))
      return { kind: 'same', text: linesOf(places, 'mine').join('\n') };
    const [own, other] = [shownText(places, 'mine'), shownText(places, 'theirs')];
    return { kind: 'text', places, mine: own, theirs: other, words: wordsOf(own, other) };
  });
  return { settings, text, pieces: [...settings, ...text.filter((place) => place.kind === 'text')] };
}

/** Returns one side of a piece as it is shown, without blank lines around it. */
const shownText = (places: readonly Place[], side: 'mine' | 'theirs'): string =>
  linesOf(places, side)
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
const linesOf = (places: readonly Place[], side: 'mine' | 'theirs') => places.flatMap((place) => place[side]);

/** Joins the places with the fewest unchanged lines between them until at most `MAX_PIECES` remain. */
function joined(places: readonly Place[]): Place[][] {
  let found = places.map((place) => [place]);
  const isSame = (group: readonly Place[]) => group.every((place) => place.isSame);
  for (let gap = 1; found.filter((group) => !isSame(group)).length > MAX_PIECES; gap *= 2) {
    const next: Place[][] = [];
    for (const [index, group] of found.entries()) {
      const last = next.at(-1);
      const isBetween = index < found.length - 1 && linesOf(group, 'mine').length <= gap;
      if (last && !isSame(last) && (!isSame(group) || isBetween)) last.push(...group);
      else next.push([...group]);
    }
    found = next;
  }
  return found;
}

export const canBeBoth = (piece: Piece): boolean => piece.kind === 'text' || Array.isArray(piece.mine);

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
  const lines: string[] = [];
  for (const [index, part] of text.entries()) {
    if (part.kind === 'same') {
      lines.push(...part.text.split('\n'));
      continue;
    }
    const piece = at++;
    const choice = choices[piece];
    if (!choice) lines.push(open(piece));
    else if (choice === 'both') addBoth(lines, part.places, firstLineOf(text[index + 1]));
    else for (const place of part.places) lines.push(...place[choice]);
  }
  return lines.join('\n');
}

/**
 * Adds the lines of both versions, those that both have once. Two paragraphs at one place stay apart; lines
 * of a paragraph and items of a list do not.
 * @param following the line below, which decides at the start of a text
 */
function addBoth(lines: string[], places: readonly Place[], following: string): void {
  for (const { isSame, mine, theirs } of places) {
    const isApart = isBlank(lines.at(-1) ?? following);
    lines.push(...mine);
    if (isSame) continue;
    if (isApart && !isBlank(mine.at(-1) ?? '') && !isBlank(theirs[0] ?? '')) lines.push('');
    lines.push(...theirs);
  }
}

const firstLineOf = (part: TextPiece | SameText | undefined) =>
  part?.kind === 'same' ? (part.text.split('\n', 1)[0] ?? '') : '';
const isBlank = (line: string) => line.trim() === '';

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
