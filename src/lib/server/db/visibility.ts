import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { CommentsTable, Flag, Schema } from './schema.ts';

/** Whoever reads, as far as visibility goes: the id of an account. */
export interface Reader {
  readonly id: string;
}

// Written into the statement, not bound to it: only then are the partial indexes used without compiling anew
// on each call.
export const PUBLIC = sql.lit<Flag>(1);

/**
 * The one rule of who sees an article: everybody a public one, its author their drafts and secret ones,
 * nobody a deleted one. Lists use its two halves through indexes.
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

/** Who sees a deleted article as long as it can be restored: its author, in the trash and nowhere else. */
export function trashedBy(viewer: Reader) {
  return (eb: ExpressionBuilder<Schema, 'trash'>): Expression<SqlBool> =>
    eb('trash.author_id', '=', viewer.id);
}

/**
 * Joins the comment that another one quotes as `quoted`: one that readers see, of the user who is answered,
 * under the same article. Withheld and deleted comments are quoted nowhere.
 */
export const isQuoted = (
  eb: ExpressionBuilder<Schema & { quoted: CommentsTable }, 'comments' | 'quoted'>,
): Expression<SqlBool> =>
  eb.and([
    eb('quoted.id', '=', eb.ref('comments.reply_comment_id')),
    eb('quoted.article_id', '=', eb.ref('comments.article_id')),
    eb('quoted.author_id', '=', eb.ref('comments.reply_user_id')),
  ]);
