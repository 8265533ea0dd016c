import { phraseOf } from './tokens.ts';

/** The FTS5 query for texts that hold every one of `words` (folded). Tokens hold no ASCII sign, so quoting them is enough. */
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

function combinations(words: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return words.flatMap((word, index) =>
    combinations(words.slice(index + 1), size - 1).map((rest) => [word, ...rest]),
  );
}
