import type { Jieba, TfIdf } from '@node-rs/jieba';

/** Version of the rules below and of the dictionary: with another one every article is looked at again. */
export const KEYWORDS_VERSION = 1;

/** What of an article its words are chosen from. */
export interface ReadText {
  title: string;
  text: string;
}

/** A word an article is about. `weight` in thousandths; the squares of all sum up to 1. */
export interface Keyword {
  term: string;
  weight: number;
}

/** Beyond that an article says what it is about once more. */
const READ_CHARACTERS = 20_000;
const FROM_TEXT = 40;
const FROM_TITLE = 12;
const KEPT = 24;
/** A word of the title, beside the heaviest of the text, which counts 1. */
const TITLE_SHARE = 0.8;
/** Two characters at least, not all of them digits and signs. */
const WORD = /^(?=.*[^\d\s\p{P}\p{S}]).{2,40}$/su;

/** One spelling of what is read alike. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * The words that an article is about, heaviest first: often in it and seldom elsewhere in Chinese (TF-IDF),
 * those of its title more.
 */
export function keywordsOf(
  { title, text }: ReadText,
  { jieba, tfIdf }: { jieba: Jieba; tfIdf: TfIdf },
): Keyword[] {
  const head = fold(title);
  const body = fold(text.slice(0, READ_CHARACTERS));
  const weights = new Map<string, number>();
  const add = (words: string, most: number, share: number) => {
    const found = tfIdf.extractKeywords(jieba, words, most).filter(({ keyword }) => WORD.test(keyword));
    const heaviest = found[0]?.weight ?? 1;
    for (const { keyword, weight } of found)
      weights.set(keyword, (weights.get(keyword) ?? 0) + (share * weight) / heaviest);
  };
  add(`${head}\n${body}`, FROM_TEXT, 1);
  add(head, FROM_TITLE, TITLE_SHARE);
  // Of the same weight the first in the order of their characters: jieba has none.
  const kept = [...weights].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, KEPT);
  const length = Math.hypot(...kept.map(([, weight]) => weight));
  return kept
    .map(([term, weight]) => ({ term, weight: Math.round((1000 * weight) / length) }))
    .filter(({ weight }) => weight > 0);
}
