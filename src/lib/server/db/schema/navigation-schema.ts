import type { Generated } from 'kysely';

export interface NavigationSchema {
  /** Place of a page in the tree, and its slug (decision 0116). */
  pages: {
    article_id: string;
    slug: string;
    /** '' at the top; a parent that is missing or in the trash counts as ''. */
    parent_id: string;
    position: number;
    in_feeds: Generated<0 | 1>;
  };
  /** Former slugs, which redirect. */
  page_slugs: {
    slug: string;
    article_id: string;
  };
  related_terms: {
    article_id: string;
    term: string;
    /** In thousandths; the squares of an article's weights add up to 1. */
    weight: number;
  };
  related_topics: {
    article_id: string;
    /** The article's update_time at the analysis. */
    made_of: number;
    version: number;
    /** 0 while its related articles must be found again. */
    is_listed: Generated<0 | 1>;
  };
  related_articles: {
    article_id: string;
    related_id: string;
    /** Similarity in millionths. */
    score: number;
  };
  article_reads: {
    article_id: string;
    /** First millisecond of the day, in the site's time zone. */
    day: number;
    reads: number;
  };
  month_reads: {
    /** First millisecond of the month, in the site's time zone. */
    month: number;
    article_id: string;
    reads: number;
  };
  site_picks: {
    kind: 'pinned' | 'read';
    article_id: string;
    place: number;
    /** As in `month_reads`; 0 for pinned articles. */
    month: number;
  };
}
