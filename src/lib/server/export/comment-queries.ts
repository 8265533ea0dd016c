import { sql, type ExpressionBuilder } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';
import { isQuoted, visibleTo } from '../db/visibility.ts';
import { BATCH_SIZES, WITHHELD_COLUMNS, type Whose } from './export-queries.ts';

export type CommentRow = Awaited<ReturnType<typeof commentsAfter>>[number];

/** Comments after the id `after`; for an author, those they wrote and those under their articles. */
export const commentsAfter = (db: Queryable, after: string, whose: Whose) =>
  selectComments(db, 'comments', { after, whose })
    .$if(whose !== null, (comments) =>
      comments.where((eb) =>
        eb.or([eb('comments.author_id', '=', whose), eb('articles.author_id', '=', whose)]),
      ),
    )
    .execute();

/** Hidden and pending comments after the id `after`; for an author, those they wrote. */
export const withheldAfter = (db: Queryable, after: string, whose: Whose) =>
  selectComments(db, 'withheld_comments', { after, whose })
    .leftJoin('withheld_items', (join) =>
      join.onRef('withheld_items.id', '=', 'comments.id').on('withheld_items.kind', '=', 'comment'),
    )
    .select(sql<string>`comments.recipients`.as('recipients'))
    .select(WITHHELD_COLUMNS)
    .$if(whose !== null, (comments) => comments.where('comments.author_id', '=', whose))
    .execute();

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
