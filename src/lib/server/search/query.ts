import { fold } from './fold.ts';

const WORDS = 10;
const LOOSE_WORDS = 6;

/** Exact hits below which looser ones are added: a page, DESIGN.md §4. */
export const ENOUGH_EXACT = 10;
/** Looser hits a query gets at most. */
export const LOOSE_LIMIT = 100;

/** The folded words of `keywords`, each once, in the order written; at most 10, the rest is ignored. */
export function parseKeywords(keywords: string): string[] {
  const words = fold(keywords)
    .split(/\s+/u)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, WORDS);
}

// Words that say nothing about the subject.
const STOP_WORDS = new Set(
  (
    '什么 怎么 怎样 如何 为什么 为何 哪些 哪个 哪里 是否 可以 能否 可能 一个 一些 一下 一种 这个 那个 这些 那些 这样 那样 这里 那里 ' +
    '我们 你们 他们 它们 自己 没有 不是 就是 还是 或者 以及 因为 所以 如果 但是 而且 并且 然后 使用 进行 关于 对于 有关 请问 ' +
    'the an of to in is are and or for on with how what why'
  ).split(' '),
);

/**
 * The words a looser search looks for: `cut`'s pieces of `words` without single characters, punctuation and
 * stop words, the 6 longest. Empty when that is no looser.
 */
export function looseWords(words: readonly string[], cut: (text: string) => string[]): string[] {
  const pieces = words.flatMap((word) => (isCuttable(word) ? cut(word) : []));
  const useful = [...new Set(pieces.map(fold))].filter(
    (piece) => isCuttable(piece) && !/\s/u.test(piece) && !STOP_WORDS.has(piece),
  );
  if (useful.every((piece) => words.includes(piece)) && useful.length === words.length) return [];
  return useful
    .map((piece, index) => ({ piece, index, length: Array.from(piece).length }))
    .sort((a, b) => b.length - a.length || a.index - b.index)
    .slice(0, LOOSE_WORDS)
    .map(({ piece }) => piece);
}

/** How many of `count` loose words an article must hold at least: most of them. */
export function looseMinimum(count: number): number {
  return Math.floor(count / 2) + 1;
}

function isCuttable(word: string): boolean {
  return Array.from(word).length > 1 && /[\p{L}\p{N}]/u.test(word);
}

/** Every choice of `size` of `words`. */
export function combinations(words: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return words.flatMap((word, index) =>
    combinations(words.slice(index + 1), size - 1).map((rest) => [word, ...rest]),
  );
}
