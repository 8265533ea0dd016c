import type { Keyword } from './keywords.ts';

/**
 * The article that others are compared with. `counts`: articles per keyword; `total`: all public articles.
 */
export interface Subject {
  keywords: readonly Keyword[];
  tags: readonly { id: string; page_num: number }[];
  counts: ReadonlyMap<string, number>;
  total: number;
}

/** Keywords of the subject that another article shares, with the other's weights, and shared tags. */
export interface Common {
  weights: ReadonlyMap<string, number>;
  tagIds: ReadonlySet<string>;
}

/** A keyword of this many articles counts nothing. */
export const MAX_KEYWORD_ARTICLES = 5_000;
/** Score of the rarest shared tag; identical keywords score 1. */
const TAG_SHARE = 0.12;
/** Minimum scores with and without a shared tag, found by reading lists (docs/features/discovery.md). */
const MIN_SCORE_WITH_TAG = 0.17;
const MIN_SCORE_WITHOUT_TAG = 0.2;
/** Minimum score of the keywords, and without the heaviest: one tag or one word alone relates nothing. */
const MIN_WORD_SCORE = 0.04;
const MIN_SCORE_WITHOUT_HEAVIEST = 0.02;
/** Scores are integers in millionths, so that both engines store the same number. */
const SCORE_UNIT = 1_000_000;

/** Among fewer articles, counts do not show what is rare. */
const MIN_TOTAL = 100;

/**
 * Returns how specific a property is that `count` of `total` articles share: 1 for one article, 0 for all.
 */
function rarity(count: number, total: number): number {
  const all = Math.max(total, MIN_TOTAL);
  if (count >= all || count >= MAX_KEYWORD_ARTICLES) return 0;
  return Math.log(all / Math.max(count, 1)) / Math.log(all);
}

export const weighWords = ({ keywords, counts, total }: Subject): Map<string, number> =>
  new Map(keywords.map(({ term, weight }) => [term, (weight / 1000) * rarity(counts.get(term) ?? 0, total)]));

/**
 * Returns the score of an article that has `common` with `subject`, in millionths; 0 if it is not related.
 */
export function scoreOf(subject: Subject, words: ReadonlyMap<string, number>, common: Common): number {
  const parts = [...common.weights].map(([term, weight]) => ((words.get(term) ?? 0) * weight) / 1000);
  const ofWords = parts.reduce((sum, part) => sum + part, 0);
  const ofTags = subject.tags
    .filter(({ id }) => common.tagIds.has(id))
    .reduce((sum, { page_num }) => sum + TAG_SHARE * rarity(page_num, subject.total), 0);
  if (ofWords < MIN_WORD_SCORE) return 0;
  if (ofTags === 0 && ofWords - Math.max(...parts) < MIN_SCORE_WITHOUT_HEAVIEST) return 0;
  const score = ofWords + ofTags;
  return score < (ofTags > 0 ? MIN_SCORE_WITH_TAG : MIN_SCORE_WITHOUT_TAG)
    ? 0
    : Math.round(score * SCORE_UNIT);
}
