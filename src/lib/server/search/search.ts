import type { Trx } from '../db/database.ts';

/** A public article as the index takes it. */
export interface SearchDocument {
  articleId: string;
  title: string;
  tags: string[];
  /** The author's name. */
  author: string;
  /** The table of contents as JSON, whose headings count more than the text around them. */
  toc: string;
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
  /** Only what this user has written, or what is under this tag, however they are written. */
  author?: string | undefined;
  tag?: string | undefined;
  /** By default the best hits first; `time`: the newest. */
  order?: 'time' | undefined;
  /** Counts from 1. */
  page: number;
  pageSize: number;
}

export interface SearchPage {
  hits: SearchHit[];
  /** All hits of the query, over every page. */
  total: number;
  /** Those among them that hold every word as it was written. */
  exact: number;
  /** The asked page, or the last one when there are fewer. */
  page: number;
  /** Authors and tags that most of the best hits have, most first: what the result can be narrowed to. */
  authors: string[];
  tags: string[];
  /** The author, and the tag, that is called what was searched for, where there is something to read. */
  named: { author?: string; tag?: string };
  /** Where there is no hit: what could have been meant, the likeliest first. */
  similar: string[];
}

/** What begins with, or holds, what somebody is typing; of public articles only. */
export interface Suggestions {
  titles: { id: string; title: string }[];
  tags: string[];
  authors: string[];
}

/** Full-text search over public articles, whatever the engine. */
export interface SearchIndex {
  /** Makes the article findable as `document` says, in the transaction that changes it. */
  put(trx: Trx, document: SearchDocument): Promise<void>;
  /** Makes it unfindable, in the transaction that hides or deletes it; an unknown one changes nothing. */
  remove(trx: Trx, articleId: string): Promise<void>;
  /** Hits, best first (`docs/decisions/0041-ranking.md`). Refuses UNAVAILABLE when slow, or too many wait. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Titles, tags and authors for the beginning of a question. Refuses as `search` does. */
  suggest(text: string): Promise<Suggestions>;
  close(): Promise<void>;
}
