import type { Generated } from 'kysely';

/** Tables of reads, and of ways through the site. */
export interface WaysSchema {
  related_terms: RelatedTermsTable;
  related_topics: RelatedTopicsTable;
  related_articles: RelatedArticlesTable;
  article_reads: ArticleReadsTable;
  month_reads: MonthReadsTable;
  site_picks: SitePicksTable;
}

/** A word that a public article is about. */
export interface RelatedTermsTable {
  article_id: string;
  /** Folded. */
  term: string;
  /** In thousandths; the squares of an article's weights sum up to 1. */
  weight: number;
}

/** What of a public article has been looked at. */
export interface RelatedTopicsTable {
  article_id: string;
  /** The article's update_time. */
  made_of: number;
  /** Of the rules by which its words were chosen. */
  version: number;
  /** Whether what is related to it is found. */
  is_listed: Generated<0 | 1>;
}

/** An article that is of interest to whoever has read another. */
export interface RelatedArticlesTable {
  article_id: string;
  related_id: string;
  /** In millionths: how much both have in common. */
  score: number;
}

/** How often an article was read on a day. */
export interface ArticleReadsTable {
  article_id: string;
  /** The day's first millisecond, in the site's time zone. */
  day: number;
  reads: number;
}

/** How often an article was read in a month. */
export interface MonthReadsTable {
  /** The month's first millisecond, in the site's time zone. */
  month: number;
  article_id: string;
  reads: number;
}

/** An article that the front page says is worth reading. */
export interface SitePicksTable {
  /** Put there by the operator, or read most in `month`. */
  kind: 'pinned' | 'read';
  article_id: string;
  /** From 1. */
  place: number;
  /** As in `month_reads`; 0 for what is pinned. */
  month: number;
}
