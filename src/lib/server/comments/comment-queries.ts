import type { InferResult, Insertable } from 'kysely';
import { forgetReviews } from '../db/forget-reviews.ts';
import { COMMENTS_SHOWN, type CommentOrder } from '../../contract/rules/bounds.ts';
import { isQuoted, isShownFlag, visibleTo, type Reader } from '../db/visibility.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { countOf, firstOf, TOTAL } from '../db/lists.ts';
import { performing } from '../db/perform.ts';
import { literal, prepare } from '../db/prepared.ts';
import type { CommentRecipientsTable, CommentsTable, Flag } from '../db/schema/schema.ts';
import type { ThreadRow } from './conversation.ts';
import { countVisible, selectInvisible, WRITTEN } from './invisible-queries.ts';

/** `quote` is null if readers do not see the quoted comment. */
export type CommentRow = InferResult<ReturnType<typeof selectNamed>>[number];

export type ChangedComment = Pick<CommentRow, 'article_id' | 'author_id'>;

export const selectComments = (db: Queryable, viewer: Reader | null) =>
  selectNamed(db, 'comments').where(visibleTo(viewer));

export function selectNamed(db: Queryable, table: 'comments' | 'withheld_comments') {
  return db
    .selectFrom(`${table} as comments` as 'comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .innerJoin('users as author', 'author.id', 'comments.author_id')
    .innerJoin('users as owner', 'owner.id', 'articles.author_id')
    .leftJoin('users as replied', 'replied.id', 'comments.reply_user_id')
    .leftJoin('comments as quoted', (join) => join.on(isQuoted))
    .select([
      'comments.id',
      'comments.content',
      'comments.author_id',
      'comments.article_id',
      'comments.create_time',
      'comments.reply_user_id',
      'comments.reply_comment_id',
      'quoted.content as quote',
      'comments.edit_time',
      'comments.mentions',
      'articles.title',
      'articles.author_id as to_user_id',
      'author.username as author',
      'author.display_name as author_name',
      'author.avatar as author_avatar',
      'owner.username as to_user',
      'replied.username as reply_user',
      'replied.display_name as reply_name',
    ]);
}

/** Orders by time. */
export type TimeOrder = Exclude<CommentOrder, 'conversation'>;

const directionOf = (order: TimeOrder) => (order === 'newest' ? 'desc' : 'asc');

function selectOfArticle(
  db: Queryable,
  articleId: string,
  viewer: Reader | null,
  order: TimeOrder = 'newest',
) {
  const direction = directionOf(order);
  return selectComments(db, viewer)
    .where('comments.article_id', '=', articleId)
    .orderBy('comments.create_time', direction)
    .orderBy('comments.id', direction);
}

const newestForVisitors = prepare((db, { articleId }: { articleId: string }) =>
  selectOfArticle(db, articleId, null).limit(literal(COMMENTS_SHOWN + 1)),
);

/** The first page of comments, plus one row if there are more; none if `viewer` may not see the article. */
export async function listNewestOfArticle(db: Queryable, articleId: string, viewer: Reader | null) {
  if (!viewer) return newestForVisitors(db, { articleId });
  return selectOfArticle(db, articleId, viewer)
    .limit(literal(COMMENTS_SHOWN + 1))
    .execute();
}

export async function listOlder(
  db: Queryable,
  articleId: string,
  viewer: Reader | null,
  { than, limit }: { than: Pick<CommentRow, 'create_time' | 'id'> | null; limit: number },
): Promise<CommentRow[]> {
  let query = selectOfArticle(db, articleId, viewer).limit(literal(limit));
  if (than)
    query = query.where((eb) =>
      eb(eb.refTuple('comments.create_time', 'comments.id'), '<', eb.tuple(than.create_time, than.id)),
    );
  return query.execute();
}

/** Part of an article's comments, each row with the total; none if `viewer` may not see the article. */
export async function listPartOfArticle(
  db: Queryable,
  articleId: string,
  viewer: Reader | null,
  { offset, limit, order }: { offset: number; limit: number; order: TimeOrder },
): Promise<(CommentRow & { total: number })[]> {
  const direction = directionOf(order);
  // The index alone selects the part; only its rows are read.
  const ids = db
    .selectFrom('comments as part')
    .select('part.id')
    .where('part.article_id', '=', articleId)
    .orderBy('part.create_time', direction)
    .orderBy('part.id', direction)
    .offset(literal(offset))
    .limit(literal(limit));
  return selectOfArticle(db, articleId, viewer, order)
    .innerJoin(ids.as('part'), 'part.id', 'comments.id')
    .select((eb) =>
      eb
        .selectFrom('comments as every')
        .select(TOTAL)
        .where('every.article_id', '=', articleId)
        .$asScalar()
        .$notNull()
        .as('total'),
    )
    .execute();
}

/** Which comment answers which, newest first, at most `limit` of them, regardless of visibility. */
export const listThreadRows = (db: Queryable, articleId: string, limit: number): Promise<ThreadRow[]> =>
  db
    .selectFrom('comments')
    .select(['id', 'author_id', 'reply_user_id', 'reply_comment_id'])
    .where('article_id', '=', articleId)
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .limit(literal(limit))
    .execute();

/** Returns the comments among `ids` that `viewer` sees, in the order of `ids`. */
export async function listInOrder(db: Queryable, ids: readonly string[], viewer: Reader | null) {
  if (ids.length === 0) return [];
  const rows = await selectComments(db, viewer).where('comments.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Number of comments of an article, regardless of visibility. */
export const countOfArticle = (db: Queryable, articleId: string): Promise<number> =>
  countOf(db.selectFrom('comments').select(TOTAL).where('article_id', '=', articleId));

export async function listWritten(db: Queryable, viewer: Reader, page: { offset: number; limit: number }) {
  return selectComments(db, viewer)
    .where('comments.author_id', '=', viewer.id)
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
}

const commentFor = prepare((db, { id, viewerId }: { id: string; viewerId: string }) =>
  selectComments(db, { id: viewerId }).where('comments.id', '=', id),
);

export async function findComment(db: Queryable, id: string, viewer: Reader | null) {
  if (!viewer) return firstOf(selectComments(db, null).where('comments.id', '=', id));
  return (await commentFor(db, { id, viewerId: viewer.id }))[0] ?? null;
}

export const listByIds = async (db: Queryable, ids: readonly string[]): Promise<CommentRow[]> =>
  ids.length === 0 ? [] : selectComments(db, null).where('comments.id', 'in', ids).execute();

export async function findByRequest(db: Queryable, authorId: string, requestId: string) {
  for (const table of ['comments', 'withheld_comments'] as const) {
    const own = db.selectFrom(table).select('id').where('author_id', '=', authorId);
    const row = await firstOf(own.where('request_id', '=', requestId));
    if (row) return row;
  }
  return null;
}

export const countWritten = (db: Queryable, viewer: Reader): Promise<number> =>
  countVisible(
    db,
    db.selectFrom('comments').select(TOTAL).where('author_id', '=', viewer.id),
    selectInvisible(db, viewer, WRITTEN),
  );

const addComment = performing((trx, comment: Insertable<CommentsTable>) =>
  trx.insertInto('comments').values(comment),
);

export async function insertComment(
  trx: Trx,
  comment: Insertable<CommentsTable>,
  recipientIds: readonly string[],
  isRead = false,
): Promise<void> {
  await addComment(trx, comment);
  await addRecipients(trx, comment, recipientIds, isRead);
}

const addRecipient = performing((trx, mark: CommentRecipientsTable) =>
  trx.insertInto('comment_recipients').values(mark),
);

export async function addRecipients(
  trx: Trx,
  comment: Pick<CommentsTable, 'id' | 'create_time'>,
  recipientIds: readonly string[],
  isRead = false,
): Promise<void> {
  const is_read: Flag = isRead ? 1 : 0;
  const mark = { comment_id: comment.id, create_time: comment.create_time, is_read };
  for (const user_id of recipientIds) await addRecipient(trx, { user_id, ...mark });
}

export async function updateComment(
  trx: Trx,
  id: string,
  changes: Pick<Insertable<CommentsTable>, 'content' | 'edit_time' | 'mentions'>,
): Promise<void> {
  await trx.updateTable('comments').set(changes).where('id', '=', id).execute();
}

export const countNewer = (
  db: Queryable,
  { article_id, create_time, id }: Pick<CommentRow, 'article_id' | 'create_time' | 'id'>,
): Promise<number> =>
  countOf(
    db
      .selectFrom('comments')
      .select(TOTAL)
      .where('article_id', '=', article_id)
      .where((eb) => eb(eb.refTuple('create_time', 'id'), '>', eb.tuple(create_time, id))),
  );

/** Deletes a comment with its reviews and, by cascade, its recipients. */
export async function deleteComment(trx: Trx, id: string): Promise<void> {
  await forgetReviews(trx, 'comment', [id]);
  await trx.deleteFrom('comments').where('id', '=', id).execute();
}

const commentedBy = prepare((db, { id, viewerId }: { id: string; viewerId: string }) =>
  db
    .selectFrom('articles')
    .innerJoin('users as owner', 'owner.id', 'articles.author_id')
    .innerJoin('users as author', (join) => join.on('author.id', '=', viewerId))
    .select([
      'articles.id',
      'articles.author_id',
      'articles.comments_closed',
      'articles.title',
      'owner.username as to_user',
      'author.username as author',
      'author.display_name as author_name',
      'author.avatar as author_avatar',
    ])
    .select(isShownFlag)
    .where('articles.id', '=', id)
    .where(visibleTo({ id: viewerId })),
);

/** The article that `viewer` comments on, with the names that a new comment shows. */
export const findCommented = async (db: Queryable, articleId: string, viewer: Reader) =>
  (await commentedBy(db, { id: articleId, viewerId: viewer.id }))[0];

/** Returns the article of an imported comment, unless it is deleted. */
export const findForeignTarget = (db: Queryable, articleId: string) =>
  db
    .selectFrom('articles')
    .select(['id', 'author_id'])
    .where('id', '=', articleId)
    .where('status', '!=', 'cancel')
    .executeTakeFirst();
