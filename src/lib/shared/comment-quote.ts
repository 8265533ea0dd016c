import { takeGraphemes } from './graphemes.ts';

const MAX_QUOTE_GRAPHEMES = 120;
/** Bounds the search for marks: more than a quote needs. */
const MAX_SOURCE_CHARACTERS = 1_000;
/** Markup of comments (markdown/comment.ts), with what is left of it in groups. */
const MARKS = new RegExp(
  [
    /^ *(?<fence>`{3,}|~{3,}).*\n(?<block>[^]*?)\n? *(?:^\k<fence>.*$|(?![^]))/,
    /^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)+/,
    /\\(?<sign>[!-/:-@[-`{-~])/,
    /(?<!`)(?<ticks>`+)(?!`)(?<code>[^]*?[^`])\k<ticks>(?!`)/,
    /!?\[(?<link>[^\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/,
    /(?<mark>\*{1,3}|~{1,2}|(?<![\p{L}\p{N}_])_{1,3})(?![\s*~_])(?<marked>[^]*?[^\s*~_])\k<mark>(?![*~_])/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gmu',
);
/** End of a sentence, with the marks that close it. */
const SENTENCE = /^.*(?:[。！？…]|[.!?](?=[\s”’」』）)]))[”’」』）)]*/su;

const plain = (text: string): string =>
  text.replace(MARKS, (...found: unknown[]) => {
    const { block, sign, code, link, marked } = found.at(-1) as Record<string, string | undefined>;
    return block ?? sign ?? code ?? plain(link ?? marked ?? '');
  });

/**
 * Returns the beginning of a comment as readers see it, for a reply that quotes it: whole if it is short,
 * else cut after the last sentence that fits, or where it is too long.
 */
export function quoteOf(comment: string): string {
  const all = plain(comment.slice(0, MAX_SOURCE_CHARACTERS))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const words = takeGraphemes(all, MAX_QUOTE_GRAPHEMES);
  if (words === all) return all;
  return SENTENCE.exec(words)?.[0] ?? `${words}…`;
}
