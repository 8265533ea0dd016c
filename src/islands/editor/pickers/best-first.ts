/**
 * Returns the `choices` with a word that equals, starts with or contains `wanted` (lower case), in this
 * order. Equally good ones keep their order. Returns all if `wanted` is empty.
 */
export function bestFirst<T>(
  choices: readonly T[],
  wanted: string,
  wordsOf: (choice: T) => readonly string[],
): T[] {
  if (wanted === '') return [...choices];
  return choices
    .map((choice) => ({ choice, rank: Math.min(...wordsOf(choice).map((word) => rank(word, wanted))) }))
    .filter((each) => each.rank < Infinity)
    .sort((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice);
}

function rank(word: string, wanted: string): number {
  if (word === wanted) return 0;
  if (word.startsWith(wanted)) return 1;
  return word.includes(wanted) ? 2 : Infinity;
}
