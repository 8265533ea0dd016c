import { combinations } from '../query.ts';
import type { Place, Wanted } from '../reader.ts';
import { phraseOf } from '../text/tokens.ts';

const COLUMNS: Record<Place, string> = {
  titles: '{title} : ',
  names: '{names} : ',
  heads: '{title names headings} : ',
  whole: '',
};

/** Returns the FTS5 query for all words and labels. Tokens have no ASCII punctuation, so quoting suffices. */
export function matchAll(place: Place, { words, labels }: Wanted): string {
  return withLabels(words.length > 0 ? `${COLUMNS[place]}(${allOf(words)})` : null, labels);
}

export function matchSome(place: Place, { words, labels }: Wanted, least: number): string {
  const some = combinations(words, least).map((combination) => `(${allOf(combination)})`);
  return withLabels(`${COLUMNS[place]}(${some.join(' OR ')})`, labels);
}

const allOf = (words: readonly string[]): string => words.map(quote).join(' AND ');

const withLabels = (match: string | null, labels: readonly string[]): string =>
  [...(match === null ? [] : [match]), ...labels.map((label) => `"${label}"`)].join(' AND ');

function quote(word: string): string {
  const { tokens, isPrefix } = phraseOf(word);
  return `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`;
}
