import { sql, type RawBuilder } from 'kysely';
import type { Queryable } from '../db/database.ts';
import type { SearchDocument } from './search.ts';

/** Articles that readers find, as `visibleTo(null)` of ../db/visibility.ts: public ones and published pages. */
export const IS_FOUND = `(a.is_public = 1
  or (a.is_page = 1 and a.status = 'normal' and a.moderation = '' and a.wanted_secret = 0))`;
export const FOUND = sql.raw(IS_FOUND);

const ofArticle = (column: string, name: string, none = "''") =>
  `case a.is_page when 1 then ${none} else ${column} end as ${name}`;

/** Columns of documents, with articles as `a`, users as `u`, bodies as `b`: pages have no author and no tags. */
export const TAGS = ofArticle('a.tags', 'tags', "'[]'");
export const DOCUMENT_COLUMNS = `a.id, a.title, ${TAGS}, ${ofArticle('u.username', 'username')},
  ${ofArticle('u.display_name', 'display_name')}, b.toc, b.text, a.create_time`;

/** Names and state of the author; an account of pages is never suggested. */
export const AUTHOR_COLUMNS = `${ofArticle('u.username', 'author')}, ${ofArticle('u.display_name', 'author_name')},
  u.banned_until, ${ofArticle('u.closed', 'closed', "'page'")}`;

type Numbered = SearchDocument & { seq: number };

/** Returns the documents of found articles that meet a condition, such as a range of `a.seq`. */
export async function listDocuments(db: Queryable, condition: RawBuilder<unknown>): Promise<Numbered[]> {
  const { rows } = await sql<Numbered>`select a.seq, ${sql.raw(DOCUMENT_COLUMNS)} from articles a
    join article_bodies b on b.article_id = a.id join users u on u.id = a.author_id
    where ${FOUND} and ${condition}`.execute(db);
  return rows;
}

/** The document of an article with its rendering. */
export const documentOf = (article: SearchDocument & { is_page: number }): SearchDocument =>
  article.is_page === 1 ? { ...article, username: '', display_name: '', tags: '[]' } : article;
