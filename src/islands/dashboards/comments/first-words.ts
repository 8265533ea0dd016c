import { closeUpPunctuation } from '../../../lib/shared/graphemes.ts';

/** Maximum graphemes; more than a line of the widest layout holds. */
const MAX_GRAPHEMES = 80;

/** Returns the first 80 characters of a markdown `source` without markup; '' if it has no text. */
export function firstWords(source: string): string {
  const text = source
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, ' ')
    // Comments, the 阅读全文 line, HTML tags.
    .replace(/<!--.*?(?:-->|$)|<--[ \t]*阅读全文[ \t]*-->|<\/?[a-z][^<>\n]*>/gis, ' ')
    // Delimiter rows and pipes of tables.
    .replace(/^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/gm, ' ')
    .replace(/^[ \t]*\|.*\|[ \t]*$/gm, (row) => row.replaceAll('|', ' '))
    .replace(/^:{3,}.*$/gm, ' ')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)+/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  let words = '';
  let count = 0;
  for (const { segment } of new Intl.Segmenter('zh').segment(closeUpPunctuation(text))) {
    if (++count > MAX_GRAPHEMES) return `${words.trimEnd()}…`;
    words += segment;
  }
  return words;
}
