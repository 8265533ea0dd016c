import type { Keyword } from './keywords.ts';

/** What an article is compared by. */
export interface Subject {
  keywords: readonly Keyword[];
  tags: readonly { id: string; page_num: number }[];
  /** How many articles are about each of its words. */
  counts: ReadonlyMap<string, number>;
  /** Public articles in all. */
  total: number;
}

/** What another article has of the subject's words, with its own weights, and of its tags. */
export interface Common {
  weights: ReadonlyMap<string, number>;
  tagIds: ReadonlySet<string>;
}

/** A word that more articles are about tells nothing. */
export const COMMON_WORD = 5_000;
/** What the rarest tag counts, beside 1 for articles of the same words. */
const TAG_SHARE = 0.12;
/** From here on articles are related, with a tag in common and without; found by reading lists (0042). */
const ENOUGH = 0.17;
const ENOUGH_WITHOUT_TAG = 0.2;
/** What words must say at least: a tag alone, or one word alone, relates nothing. */
const LEAST_OF_WORDS = 0.04;
const LEAST_BESIDE_HEAVIEST = 0.02;
/** In millionths, so that both engines keep the same number. */
const UNIT = 1_000_000;

/** Among fewer articles what is rare cannot be told by counting. */
const LEAST_TOTAL = 100;

/** How much it tells that an article is one of `count` of `total`: 1 of the only one, 0 of all. */
function rarity(count: number, total: number): number {
  const all = Math.max(total, LEAST_TOTAL);
  if (count >= all || count >= COMMON_WORD) return 0;
  return Math.log(all / Math.max(count, 1)) / Math.log(all);
}

/** Of what weight in `subject` each of its words is, rare ones more. */
export const weighWords = ({ keywords, counts, total }: Subject): Map<string, number> =>
  new Map(keywords.map(({ term, weight }) => [term, (weight / 1000) * rarity(counts.get(term) ?? 0, total)]));

/** How related an article is that has `common` with `subject`, in millionths; 0 where it is not. */
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
