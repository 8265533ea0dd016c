import { REPORT_KINDS, type ReportKind } from '../../contract/rules/report-reasons.ts';
import type { Queryable } from './database.ts';
import { fullName } from '../../contract/rules/full-name.ts';
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
  return found ? phraseOf(kind, { author: fullName(found), title: found.title }) : null;
}

/** Fields of an article whose row is written later in the transaction. */
export interface UnwrittenArticle {
  author_id: string;
  title: string;
}

/** Names an article as `nameItem` will once it is written. */
export async function nameArticle(db: Queryable, { author_id, title }: UnwrittenArticle): Promise<string> {
  const author = await findItem(db, { kind: 'user', id: author_id });
  return phraseOf('article', { author: author ? fullName(author) : '', title });
}

/** Names an item after 的 to a reader, without a title or an author that the reader does not see. */
export async function nameItemFor(db: Queryable, { kind, id }: Item, reader: Reader): Promise<string> {
  const found = await findItem(db, { kind, id });
  if (!found) return REPORT_KINDS[kind];
  const article = db
    .selectFrom('articles')
    .select('id')
    .where('id', '=', found.article_id)
    .where(visibleTo(reader));
  const title = kind !== 'user' && (await isFound(article)) ? found.title : '';
  const author = found.ban_hides === 0 ? fullName(found) : '';
  const phrase = phraseOf(kind, { author, title });
  return author !== '' && phrase.startsWith(author) ? ` ${phrase}` : phrase;
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

/** Names an item by its author and the title of its article; '' leaves out either. */
function phraseOf(kind: ReportKind, { author, title }: { author: string; title: string }): string {
  const word = REPORT_KINDS[kind];
  if (kind === 'user') return `${word} ${author}`.trimEnd();
  if (kind === 'article') return `${author === '' ? '' : `${author} 的`}${word}${title && `《${title}》`}`;
  if (title === '') return author === '' ? word : `${author} 的${word}`;
  return `${author === '' ? '' : `${author} 在`}《${title}》下的${word}`;
}
