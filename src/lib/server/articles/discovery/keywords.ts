/** Version of these rules and of the dictionary; another version makes every article be analysed again. */
export const KEYWORDS_VERSION = 1;

export interface ReadText {
  title: string;
  text: string;
}

/** A keyword of an article. `weight` is in thousandths; the squares of an article's weights add up to 1. */
export interface Keyword {
  term: string;
  weight: number;
}

/** Characters to analyse; the rest of a long article rarely adds a topic. */
const MAX_READ_CHARACTERS = 20_000;
const MAX_TEXT_KEYWORDS = 40;
const MAX_TITLE_KEYWORDS = 12;
const MAX_KEYWORDS = 24;
/** Weight of the heaviest title word; the heaviest word of the text has 1. */
const TITLE_SHARE = 0.8;
/** 2 to 40 characters, not only digits, spaces and symbols. */
const WORD = /^(?=.*[^\d\s\p{P}\p{S}]).{2,40}$/su;

const STOP_WORDS = new Set(
  `the of is and to in that we for an are by be as on with can if from which you it this then at have all not
one has or`.split(/\s/),
);

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Cuts a text into words and returns how rare a word is. */
export interface WordDictionary {
  cut(text: string): string[];
  /** Inverse document frequency. */
  rarityOf(word: string): number;
}

/**
 * Returns the keywords of an article, heaviest first: words frequent in it and rare in Chinese (TF-IDF).
 * Words of the title weigh more.
 */
export function keywordsOf({ title, text }: ReadText, dictionary: WordDictionary): Keyword[] {
  const head = fold(title);
  const body = fold(text.slice(0, MAX_READ_CHARACTERS));
  const weights = new Map<string, number>();
  const add = (words: string, most: number, share: number) => {
    const found = heaviestOf(words, most, dictionary).filter(([keyword]) => WORD.test(keyword));
    const heaviest = found[0]?.[1] ?? 1;
    for (const [keyword, weight] of found)
      weights.set(keyword, (weights.get(keyword) ?? 0) + (share * weight) / heaviest);
  };
  add(`${head}\n${body}`, MAX_TEXT_KEYWORDS, 1);
  add(head, MAX_TITLE_KEYWORDS, TITLE_SHARE);
  const kept = [...weights].toSorted(heaviestFirst).slice(0, MAX_KEYWORDS);
  const length = Math.hypot(...kept.map(([, weight]) => weight));
  return kept
    .map(([term, weight]) => ({ term, weight: Math.round((1000 * weight) / length) }))
    .filter(({ weight }) => weight > 0);
}

type Weighed = [word: string, weight: number];

/** Orders words of equal weight by their characters. */
const heaviestFirst = ([a, m]: Weighed, [b, n]: Weighed) => n - m || (a < b ? -1 : 1);

/** Returns the `most` heaviest words of a text by TF-IDF, each at least two characters long. */
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
