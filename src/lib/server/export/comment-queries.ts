import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import type { CommentsTable, Schema } from '../db/schema/schema.ts';
import { isQuoted, visibleTo } from '../db/visibility.ts';
import type { WithheldItemsTable } from '../db/schema/moderation-schema.ts';
import { BATCH_SIZES, type Whose } from './export-queries.ts';

export type CommentRow = Selectable<CommentsTable> & {
  /** Empty if the article is hidden from the author who exports. */
  title: string;
  author_name: string;
  reply_name: string | null;
  quote: string | null;
  /** The following fields exist only for hidden comments. */
  recipients?: string;
  state?: WithheldItemsTable['state'] | null;
  note?: string | null;
  reasons?: string | null;
  withheld_time?: number | null;
  hidden_by_ban?: 0 | 1 | null;
};

/** Comments after the id `after`; for an author, those they wrote and those under their articles. */
export function commentsAfter(db: Queryable, after: string, whose: Whose): Promise<CommentRow[]> {
  let comments = selectComments(db, 'comments', { after, whose });
  if (whose !== null)
    comments = comments.where((eb) =>
      eb.or([eb('comments.author_id', '=', whose), eb('articles.author_id', '=', whose)]),
    );
  return comments.execute();
}

/** Hidden and pending comments after the id `after`; for an author, those they wrote. */
export function withheldAfter(db: Queryable, after: string, whose: Whose): Promise<CommentRow[]> {
  const comments = selectComments(db, 'withheld_comments', { after, whose })
    .leftJoin('withheld_items', (join) =>
      join.onRef('withheld_items.id', '=', 'comments.id').on('withheld_items.kind', '=', 'comment'),
    )
    .select([
      sql<string>`comments.recipients`.as('recipients'),
      'withheld_items.state',
      'withheld_items.note',
      'withheld_items.reasons',
      'withheld_items.create_time as withheld_time',
      'withheld_items.hidden_by_ban',
    ]);
  return (whose === null ? comments : comments.where('comments.author_id', '=', whose)).execute();
}

/** The title if `whose` may see the article; authors also see it in their trash. */
const titleFor = (whose: Whose) => (eb: ExpressionBuilder<Schema, 'articles'>) => {
  if (whose === null) return eb.ref('articles.title').as('title');
  const isSeen = eb.or([visibleTo({ id: whose })(eb), eb('articles.author_id', '=', whose)]);
  return eb.case().when(isSeen).then(eb.ref('articles.title')).else('').end().as('title');
};

const selectComments = (
  db: Queryable,
  table: 'comments' | 'withheld_comments',
  { after, whose }: { after: string; whose: Whose },
) =>
  db
    .selectFrom(`${table} as comments` as 'comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .leftJoin('users as answered', 'answered.id', 'comments.reply_user_id')
    .leftJoin('comments as quoted', (join) => join.on(isQuoted))
    .select([
      'comments.id',
      'comments.article_id',
      'comments.author_id',
      'comments.content',
      'comments.reply_user_id',
      'comments.reply_comment_id',
      'quoted.content as quote',
      'comments.create_time',
      'comments.request_id',
      'comments.edit_time',
      'comments.mentions',
      'users.username as author_name',
      'answered.username as reply_name',
    ])
    .select(titleFor(whose))
    .where('comments.id', '>', after)
    .orderBy('comments.id')
    .limit(literal(BATCH_SIZES.rows));

export const recipientsOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('comment_recipients')
    .select(['comment_id', 'user_id', 'is_read'])
    .where('comment_id', 'in', [...ids])
    .orderBy('comment_id')
    .orderBy('user_id')
    .execute();
