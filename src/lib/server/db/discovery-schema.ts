/** The tables by which programs discover what there is, and what is read most is known. */
export interface DiscoverySchema {
  sitemap_parts: SitemapPartsTable;
  article_days: ArticleDaysTable;
  pushes: PushesTable;
  article_reads: ArticleReadsTable;
}

/** How often an article was read on a day. */
export interface ArticleReadsTable {
  article_id: string;
  /** The day's first millisecond, in the site's time zone. */
  day: number;
  reads: number;
}

/** Public articles of a range of `seq`: a file of the sitemap (articles/sitemap-queries.ts). */
export interface SitemapPartsTable {
  part: number;
  article_num: number;
  /** When the last of them came, changed or went. */
  update_time: number;
}

/** Public articles by the day they were published on (articles/archive-queries.ts). */
export interface ArticleDaysTable {
  /** Of UTC, from the first of 1970. */
  day: number;
  article_num: number;
}

/** A search engine is to be told that a page has changed (push/push-service.ts). */
export interface PushesTable {
  article_id: string;
  engine: 'baidu' | 'indexnow';
  /** Of the change; another one means that the article has changed since. */
  change_time: number;
  /** When it may be sent. */
  due_time: number;
  tries: number;
  /** What the engine said last, or the empty string. */
  problem: string;
}
