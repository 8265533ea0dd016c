import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { ArticlesTable, CommentsTable, Flag, Schema } from './schema/schema.ts';

export interface Reader {
  readonly id: string;
}

// A literal, not a bound value, so that partial indexes are used without compiling again on each call.
export const PUBLIC = sql.lit<Flag>(1);

const NORMAL = sql.lit<'normal'>('normal');
const NOT_SECRET = sql.lit<Flag>(0);
export const NO_PAGE = sql.lit<Flag>(0);

/** Whether everybody sees an article: a public one, or a published page, which is in no list. */
export const isShown = ({ is_public, is_page, status, moderation, wanted_secret }: Shown): boolean =>
  is_public === 1 || (is_page === 1 && status === 'normal' && moderation === '' && wanted_secret === 0);
type Shown = Pick<ArticlesTable, 'is_public' | 'is_page' | 'status' | 'moderation' | 'wanted_secret'>;

const isShownPage = (eb: ExpressionBuilder<Schema, 'articles'>): Expression<SqlBool> =>
  eb.and([
    eb('articles.is_page', '=', PUBLIC),
    eb('articles.status', '=', NORMAL),
    eb('articles.moderation', '=', sql.lit('')),
    eb('articles.wanted_secret', '=', NOT_SECRET),
  ]);

type Viewer = Reader | { id: Expression<string> };

const isPublic = (eb: ExpressionBuilder<Schema, 'articles'>) => eb('articles.is_public', '=', PUBLIC);

const isOwn = (eb: ExpressionBuilder<Schema, 'articles'>, { id }: Viewer) =>
  eb.and([eb('articles.author_id', '=', id), eb('articles.status', '!=', 'cancel')]);

/**
 * The single rule of which articles a viewer may see: public ones, published pages, and as their author also
 * drafts and secret ones, but no deleted ones. The triggers of `invisible_comments`
 * (migrations/0071-pages.ts) repeat it.
 * @param viewer null for a visitor; its id may be a column, for a query about many users
 */
export const visibleTo =
  (viewer: Viewer | null) =>
  (eb: ExpressionBuilder<Schema, 'articles'>): Expression<SqlBool> =>
    eb.or([isPublic(eb), isShownPage(eb), ...(viewer ? [isOwn(eb, viewer)] : [])]);

/** Whether everybody sees the article, as a column. */
export const isShownFlag = (eb: ExpressionBuilder<Schema, 'articles'>) =>
  eb.case().when(visibleTo(null)(eb)).then(sql.lit<Flag>(1)).else(sql.lit<Flag>(0)).end().as('is_shown');

/** As `visibleTo`, for lists, which have no pages and use its two halves through indexes. */
export const listedFor =
  (viewer: Viewer | null) =>
  (eb: ExpressionBuilder<Schema, 'articles'>): Expression<SqlBool> =>
    viewer
      ? eb.or([isPublic(eb), eb.and([isOwn(eb, viewer), eb('articles.is_page', '=', NO_PAGE)])])
      : isPublic(eb);

/**
 * Whether an article is pending or hidden by staff, and its author wants it to be public: drafts, secret and
 * deleted articles stay private. Literals, so that partial indexes are used.
 */
export const isModerated = (eb: ExpressionBuilder<Schema, 'articles'>): Expression<SqlBool> =>
  eb.and([
    eb('articles.moderation', '<>', sql.lit('')),
    eb('articles.status', '=', NORMAL),
    eb('articles.wanted_secret', '=', NOT_SECRET),
  ]);

/**
 * Joins the comment that another one quotes as `quoted`: visible, by the replied-to user, and under the same
 * article. Pending, hidden and deleted comments are never quoted.
 */
export const isQuoted = (
  eb: ExpressionBuilder<Schema & { quoted: CommentsTable }, 'comments' | 'quoted'>,
): Expression<SqlBool> =>
  eb.and([
    eb('quoted.id', '=', eb.ref('comments.reply_comment_id')),
    eb('quoted.article_id', '=', eb.ref('comments.article_id')),
    eb('quoted.author_id', '=', eb.ref('comments.reply_user_id')),
  ]);
