import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { CommentsTable, Flag, Schema } from './schema/schema.ts';

export interface Reader {
  readonly id: string;
}

// A literal, not a bound value, so that partial indexes are used without compiling again on each call.
export const PUBLIC = sql.lit<Flag>(1);

/**
 * The single rule of which articles a viewer may see: public ones, and as their author also drafts and secret
 * ones, but no deleted ones. Lists use its two halves through indexes; the triggers of `invisible_comments`
 * (migrations/0052-exact-totals.ts) repeat it.
 * @param viewer null for a visitor; its id may be a column, for a query about many users
 */
export function visibleTo(viewer: Reader | { id: Expression<string> } | null) {
  return (eb: ExpressionBuilder<Schema, 'articles'>): Expression<SqlBool> => {
    const isPublic = eb('articles.is_public', '=', PUBLIC);
    if (!viewer) return isPublic;
    return eb.or([
      isPublic,
      eb.and([eb('articles.author_id', '=', viewer.id), eb('articles.status', '!=', 'cancel')]),
    ]);
  };
}

const NORMAL = sql.lit<'normal'>('normal');
const NOT_SECRET = sql.lit<Flag>(0);

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

/** Only the author sees a deleted article that can be restored, and only in the trash. */
export function trashedBy(viewer: Reader) {
  return (eb: ExpressionBuilder<Schema, 'trash'>): Expression<SqlBool> =>
    eb('trash.author_id', '=', viewer.id);
}

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
