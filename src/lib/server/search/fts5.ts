import { combinations } from './query.ts';
import { phraseOf } from './tokens.ts';

/** The FTS5 query for all of `words` (folded). Tokens hold no ASCII sign: quoting is enough. */
export function matchAll(words: readonly string[]): string {
  return words.map(quote).join(' AND ');
}

/** The FTS5 query for texts that hold at least `minimum` of `words`. */
export function matchSome(words: readonly string[], minimum: number): string {
  return combinations(words, minimum)
    .map((some) => `(${matchAll(some)})`)
    .join(' OR ');
}

function quote(word: string): string {
  const { tokens, isPrefix } = phraseOf(word);
  return `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`;
}
