import { AFTER_NO_FORMULA } from './signs.ts';
import { closeUpPunctuation, takeGraphemes } from './graphemes.ts';

/** Maximum graphemes; more than a line of the widest layout holds. */
const MAX_GRAPHEMES = 80;
/** Maximum characters searched for words. */
const MAX_SOURCE_CHARACTERS = 4_000;

/** A fenced block with its prefix (list, quote), its language, and its text up to the closing fence. */
const FENCED =
  /^([ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)*)(`{3,}(?!.*`)|~{3,})[ \t]*([^\s`]*).*\n?([^]*?)(?:^[ \t>]*\2[`~]*[ \t]*$|(?![^]))/gm;
/** A formula in separate lines. Without an end it extends to the end, as code does. */
const FORMULA = /^[ \t>]*\$\$(?:[ \t]*$[^]*?(?:\$\$[ \t]*$|(?![^]))|[^$\n][^$]*\$\$[ \t]*$)/gm;
/** Text that is not markup: an escaped sign, inline code, a formula in a line, an address. */
const LITERAL = new RegExp(
  [
    /\\([!-/:-@[-`{-~])/,
    /(?<!`)(?<ticks>`+)(?!`)([^]*?[^`])\k<ticks>(?!`)/,
    /\$\$([^$\n]+)\$\$/,
    new RegExp(`\\$(?![\\s$])((?:\\\\.|[^$\\\\\`])*?[^\\s$\\\\])\\$(?!${AFTER_NO_FORMULA.source})`, 'u'),
    /<((?:https?:|mailto:)[^<>\s]+)>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
/** Delimiter of the number that stands for a literal while markup is removed. */
const LITERAL_END = '\u0000';
const KEPT = new RegExp(`${LITERAL_END}(\\d+)${LITERAL_END}`, 'g');

/** Markup in the order of removal, and its replacements. */
const MARKUP: readonly [RegExp, string | ((row: string) => string)][] = [
  // Comments, the 阅读全文 line, HTML tags.
  [/<!--.*?(?:-->|$(?![^]))|<--[ \t]*阅读全文[ \t]*-->|<\/?[a-z][^<>\n]*>/gis, ' '],
  // Delimiter rows and pipes of tables, rules, underlines of headings.
  [/^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/gm, ' '],
  [/^[ \t]*\|.*\|[ \t]*$/gm, (row) => row.replaceAll('|', ' ')],
  [/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,}|=+)$/gm, ' '],
  [/^:{3,}.*$/gm, ' '],
  // Link and footnote definitions, footnote marks.
  [/^ {0,3}\[\^?[^\]\n]+\]:.*$/gm, ' '],
  [/\[\^[^\]\s]+\]/g, ''],
  // Starts of headings, quotes, items, callouts, tasks and definitions.
  [/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)+/gm, ''],
  [/^(?:\[!\w+\][+-]?|\[[ xX]\](?=[ \t])|:(?=[ \t]))/gm, ''],
  [/!?\[([^\]\n]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])/g, '$1'],
  [/(?<!!)\[([^\]\n]+)\]/g, '$1'],
  [/(?<!~)(~{1,2})(?![\s~])([^~\n]*[^\s~])\1(?!~)/g, '$2'],
  ...Array.from({ length: 3 }, (): [RegExp, string] => [/(\*{1,3})(?![\s*])([^*]*[^\s*])\1/g, '$2']),
  ...Array.from({ length: 3 }, (): [RegExp, string] => [
    /(?<![\p{L}\p{N}_])(_{1,3})(?![\s_])([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu,
    '$2',
  ]),
];

/**
 * Returns the first 80 characters of a markdown `source` as readers see them: without markup, diagrams and
 * formulas in separate lines; '' if it has no text.
 */
export function firstWords(source: string): string {
  const literals: string[] = [];
  const keep = (text: string) => LITERAL_END + String(literals.push(text) - 1) + LITERAL_END;
  const start = source.slice(0, MAX_SOURCE_CHARACTERS).replaceAll(LITERAL_END, '').replaceAll('\r\n', '\n');
  const marked = start
    .replace(FENCED, (_, prefix: string, __, language: string, code: string) =>
      language.toLowerCase() === 'mermaid' ? prefix : `${prefix}${keep(code)}\n`,
    )
    .replace(FORMULA, ' ')
    .replace(LITERAL, (...[, sign, , code, display, formula, address]: (string | undefined)[]) =>
      keep(sign ?? code ?? display ?? formula ?? address ?? ''),
    );
  const plain = MARKUP.reduce(
    (text, [pattern, rest]) =>
      typeof rest === 'string' ? text.replace(pattern, rest) : text.replace(pattern, rest),
    marked,
  );
  const text = plain
    .replace(KEPT, (_, index: string) => literals[Number(index)] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const all = closeUpPunctuation(text);
  const words = takeGraphemes(all, MAX_GRAPHEMES);
  return words === all ? all : `${words.trimEnd()}…`;
}
