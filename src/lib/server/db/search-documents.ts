import { sql } from 'kysely';
import type { Queryable } from './database.ts';

/** Columns of an article, its body and its author. */
export interface SearchDocument {
  id: string;
  title: string;
  tags: string;
  username: string;
  /** '' for none. */
  display_name: string;
  /** Its headings weigh more than the text. */
  toc: string;
  text: string;
  /** Orders hits of the same tier. */
  create_time: number;
}

/** Articles that readers find, as `visibleTo(null)` of visibility.ts: public ones and published pages. */
export const IS_FOUND = `(a.is_public = 1
  or (a.is_page = 1 and a.status = 'normal' and a.moderation = '' and a.wanted_secret = 0))`;
export const FOUND = sql.raw(IS_FOUND);

const ofArticle = (column: string, name: string, none = "''") =>
  `case a.is_page when 1 then ${none} else ${column} end as ${name}`;

/** Columns of documents, of articles `a`, users `u` and bodies `b`: pages have no author and no tags. */
export const TAGS = ofArticle('a.tags', 'tags', "'[]'");
export const DOCUMENT_COLUMNS = `a.id, a.title, ${TAGS}, ${ofArticle('u.username', 'username')},
  ${ofArticle('u.display_name', 'display_name')}, b.toc, b.text, a.create_time`;

/** Names and state of the author; an account of pages is never suggested. */
export const AUTHOR_COLUMNS = `${ofArticle('u.username', 'author')}, ${ofArticle('u.display_name', 'author_name')},
  u.banned_until, ${ofArticle('u.closed', 'closed', "'page'")}`;

type Numbered = SearchDocument & { seq: number };

/** A batch of documents: of one author after an id, or of all authors after a number. */
type Batch = { limit: number } & ({ author: string; after: string } | { afterNumber: number });

/** Returns found articles of a batch, in order; of an author without pages. */
export async function listDocuments(db: Queryable, batch: Batch): Promise<Numbered[]> {
  const condition =
    'author' in batch
      ? sql`a.author_id = ${batch.author} and a.is_public = 1 and a.id > ${batch.after} order by a.id`
      : sql`a.seq > ${batch.afterNumber} order by a.seq`;
  const { rows } = await sql<Numbered>`select a.seq, ${sql.raw(DOCUMENT_COLUMNS)} from articles a
    join article_bodies b on b.article_id = a.id join users u on u.id = a.author_id
    where ${FOUND} and ${condition} limit ${sql.lit(batch.limit)}`.execute(db);
  return rows;
}

/** The document of an article with its rendering. */
export const documentOf = (article: SearchDocument & { is_page: number }): SearchDocument =>
  article.is_page === 1 ? { ...article, username: '', display_name: '', tags: '[]' } : article;
