import type { SearchDocument } from '../db/search-documents.ts';
import type { Trx } from '../db/database.ts';

export interface SearchHit {
  articleId: string;
  /** Safe HTML with `<mark>` around matches: the whole `title`, a snippet of 120 characters. */
  highlight: { title: string; content: string };
}

export interface SearchQuery {
  keywords: string;
  /** Filters by author and tag; case and width do not matter. */
  author?: string | undefined;
  tag?: string | undefined;
  /** Default: best first; `time`: newest first. */
  order?: 'time' | undefined;
  page: number;
  pageSize: number;
}

/** Display name of an author in the same answer. */
export interface AuthorName {
  username: string;
  display_name: string;
}

export interface SearchPage {
  hits: SearchHit[];
  total: number;
  exact: number;
  /** The requested page, or the last one when there are fewer. */
  page: number;
  /** The most frequent authors and tags of the best hits, for narrowing the result. */
  authors: string[];
  tags: string[];
  /** Absent if no author has a display name. */
  authorNames?: AuthorName[];
  /** The author and the tag named exactly like the query, if they have public articles. */
  named: { author?: string; tag?: string };
  /** Spelling suggestions when there is no hit, likeliest first. */
  similar: string[];
}

export interface Suggestions {
  titles: { id: string; title: string }[];
  tags: string[];
  authors: string[];
  /** Absent if no author has a display name. */
  authorNames?: AuthorName[];
}

export interface SearchIndex {
  /** Adds or updates an article, in the transaction that changes it. */
  put(trx: Trx, document: SearchDocument): Promise<void>;
  /** Removes an article, in the transaction that hides or deletes it; an unknown one changes nothing. */
  remove(trx: Trx, articleId: string): Promise<void>;
  /**
   * Returns hits, best first (`docs/decisions/0041-ranking.md`). Refuses with UNAVAILABLE when slow or the
   * queue is full.
   */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Returns titles, tags and authors for the beginning of a query. Refuses like `search`. */
  suggest(text: string): Promise<Suggestions>;
  close(): Promise<void>;
}
