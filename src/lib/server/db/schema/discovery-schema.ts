export interface DiscoverySchema {
  /**
   * A file of the sitemap: the public articles in a range of `seq` (discovery/sitemap-queries.ts).
   * `update_time` is when one of them was last added, changed or removed.
   */
  sitemap_parts: {
    part: number;
    article_num: number;
    update_time: number;
  };
  /** Public articles per day of publication (discovery/archive-queries.ts); days since 1970-01-01, UTC. */
  article_days: {
    day: number;
    article_num: number;
  };
  pushes: PushesTable;
}

/** A notification of a search engine about a changed page (push/push-service.ts). */
export interface PushesTable {
  article_id: string;
  engine: 'baidu' | 'indexnow';
  /** Time of the change; another value means that the article has changed again. */
  change_time: number;
  due_time: number;
  tries: number;
  problem: string;
}
