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
export const COMMON_WORD = 5_000;
/** Score of the rarest shared tag; identical keywords score 1. */
const TAG_SHARE = 0.12;
/** Minimum scores with and without a shared tag, found by reading lists (docs/features/discovery.md). */
const ENOUGH = 0.17;
const ENOUGH_WITHOUT_TAG = 0.2;
/** Minimum score of the keywords, and without the heaviest: one tag or one word alone relates nothing. */
const LEAST_OF_WORDS = 0.04;
const LEAST_BESIDE_HEAVIEST = 0.02;
/** Scores are integers in millionths, so that both engines store the same number. */
const UNIT = 1_000_000;

/** Among fewer articles, counts do not show what is rare. */
const LEAST_TOTAL = 100;

/**
 * Returns how specific a property is that `count` of `total` articles share: 1 for one article, 0 for all.
 */
function rarity(count: number, total: number): number {
  const all = Math.max(total, LEAST_TOTAL);
  if (count >= all || count >= COMMON_WORD) return 0;
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
  if (ofWords < LEAST_OF_WORDS) return 0;
  if (ofTags === 0 && ofWords - Math.max(...parts) < LEAST_BESIDE_HEAVIEST) return 0;
  const score = ofWords + ofTags;
  return score < (ofTags > 0 ? ENOUGH : ENOUGH_WITHOUT_TAG) ? 0 : Math.round(score * UNIT);
}
