import type { Trx } from '../db/database.ts';

/** A public article as the index takes it. */
export interface SearchDocument {
  articleId: string;
  title: string;
  tags: string[];
  /** Visible text of the body. */
  text: string;
  /** Milliseconds since the epoch; orders hits of the same tier. */
  createTime: number;
}

export interface SearchHit {
  articleId: string;
  /** Safe HTML with `<mark>` around matches: the whole `title`, a snippet of 120 characters. */
  highlight: { title: string; content: string };
}

export interface SearchQuery {
  keywords: string;
  /** Counts from 1. */
  page: number;
  pageSize: number;
}

export interface SearchPage {
  hits: SearchHit[];
  /** All hits of the query, over every page. */
  total: number;
  /** The asked page, or the last one when there are fewer. */
  page: number;
}

/** Full-text search over public articles, whatever the engine. */
export interface SearchIndex {
  /** Makes the article findable as `document` says, in the transaction that changes it. */
  put(trx: Trx, document: SearchDocument): Promise<void>;
  /** Makes it unfindable, in the transaction that hides or deletes it; an unknown one changes nothing. */
  remove(trx: Trx, articleId: string): Promise<void>;
  /** Hits, best first (`docs/decisions/0002-search.md`). Refuses UNAVAILABLE when slow, or too many wait. */
  search(query: SearchQuery): Promise<SearchPage>;
  close(): Promise<void>;
}
