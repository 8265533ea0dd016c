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

/** Words of English that say nothing. */
const STOP_WORDS = new Set(
  `the of is and to in that we for an are by be as on with can if from which you it this then at have all not
one has or`.split(/\s/),
);

/** One spelling of what is read alike. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What cuts a text into words, and knows how rare they are. */
export interface WordDictionary {
  cut(text: string): string[];
  /** Inverse document frequency. */
  rarityOf(word: string): number;
}

/**
 * The words that an article is about, heaviest first: often in it and seldom elsewhere in Chinese (TF-IDF),
 * those of its title more.
 */
export function keywordsOf({ title, text }: ReadText, dictionary: WordDictionary): Keyword[] {
  const head = fold(title);
  const body = fold(text.slice(0, READ_CHARACTERS));
  const weights = new Map<string, number>();
  const add = (words: string, most: number, share: number) => {
    const found = heaviestOf(words, most, dictionary).filter(([keyword]) => WORD.test(keyword));
    const heaviest = found[0]?.[1] ?? 1;
    for (const [keyword, weight] of found)
      weights.set(keyword, (weights.get(keyword) ?? 0) + (share * weight) / heaviest);
  };
  add(`${head}\n${body}`, FROM_TEXT, 1);
  add(head, FROM_TITLE, TITLE_SHARE);
  const kept = [...weights].toSorted(heaviestFirst).slice(0, KEPT);
  const length = Math.hypot(...kept.map(([, weight]) => weight));
  return kept
    .map(([term, weight]) => ({ term, weight: Math.round((1000 * weight) / length) }))
    .filter(({ weight }) => weight > 0);
}

type Weighed = [word: string, weight: number];

/** Of the same weight the first in the order of their characters. */
const heaviestFirst = ([a, m]: Weighed, [b, n]: Weighed) => n - m || (a < b ? -1 : 1);

/** The `most` heaviest words of a text by TF-IDF, of two characters at least. */
function heaviestOf(text: string, most: number, { cut, rarityOf }: WordDictionary): Weighed[] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const word of cut(text)) {
    if (!/../su.test(word) || STOP_WORDS.has(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total++;
  }
  return Array.from(counts, ([word, count]): Weighed => [word, (count * rarityOf(word)) / total])
    .sort(heaviestFirst)
    .slice(0, most);
}
