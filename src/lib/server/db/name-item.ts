import type { ReportKind } from '../../contract/rules/report-reasons.ts';
import { phraseOf } from '../shared/item-phrase.ts';
import type { Queryable } from './database.ts';
import { isFound } from './lists.ts';
import { visibleTo, type Reader } from './visibility.ts';

interface Item {
  kind: ReportKind;
  id: string;
}

/**
 * Returns a phrase that names an article, a comment or an account in a message to staff: title and author.
 * Null if the item does not exist.
 */
export async function nameItem(db: Queryable, kind: ReportKind, id: string): Promise<string | null> {
  const found = await findItem(db, { kind, id });
  return found ? phraseOf(kind, { author: found, title: found.title }) : null;
}

/** Fields of an article whose row is written later in the transaction. */
export interface UnwrittenArticle {
  author_id: string;
  title: string;
}

/** Names an article as `nameItem` will once it is written. */
export async function nameArticle(db: Queryable, { author_id, title }: UnwrittenArticle): Promise<string> {
  const author = (await findItem(db, { kind: 'user', id: author_id })) ?? null;
  return phraseOf('article', { author, title });
}

/** Names an item after 的 to a reader, without a title or an author that the reader does not see. */
export async function nameItemFor(db: Queryable, { kind, id }: Item, reader: Reader): Promise<string> {
  const found = await findItem(db, { kind, id });
  if (!found) return phraseOf(kind, { author: null, title: '' });
  const article = db
    .selectFrom('articles')
    .select('id')
    .where('id', '=', found.article_id)
    .where(visibleTo(reader));
  const title = kind !== 'user' && (await isFound(article)) ? found.title : '';
  const author = found.ban_hides === 0 ? found : null;
  const phrase = phraseOf(kind, { author, title });
  // Separates 的 from a name.
  return author && kind !== 'user' ? ` ${phrase}` : phrase;
}

const AUTHOR = ['users.username', 'users.display_name', 'users.ban_hides'] as const;

async function findItem(db: Queryable, { kind, id }: Item) {
  if (kind === 'user') {
    const user = await db.selectFrom('users').select(AUTHOR).where('id', '=', id).executeTakeFirst();
    return user && { ...user, title: '', article_id: '' };
  }
  if (kind === 'article')
    return db
      .selectFrom('articles')
      .innerJoin('users', 'users.id', 'articles.author_id')
      .select(['articles.title', 'articles.id as article_id', ...AUTHOR])
      .where('articles.id', '=', id)
      .executeTakeFirst();
  for (const table of ['withheld_comments', 'comments'] as const) {
    const comment = await db
      .selectFrom(`${table} as comments` as 'comments')
      .innerJoin('articles', 'articles.id', 'comments.article_id')
      .innerJoin('users', 'users.id', 'comments.author_id')
      .select(['articles.title', 'comments.article_id', ...AUTHOR])
      .where('comments.id', '=', id)
      .executeTakeFirst();
    if (comment) return comment;
  }
  return undefined;
}
