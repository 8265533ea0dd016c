import { COMMENTS_SHOWN } from '../../contract/bounds.ts';
import type { Comment, List } from '../../contract/entities.ts';
import type { CallInput } from '../../contract/calls.ts';
import { refuse } from '../../contract/errors.ts';
import { isAbsent } from '../../contract/fields.ts';
import { visibleTo, type Reader } from '../articles/article-queries.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Database, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { newId, toInstant } from '../ids.ts';
import { locatePage, type PageRequest } from '../paging.ts';
import type { Quotas } from '../quotas/quota-service.ts';
import * as queries from './comment-queries.ts';
import * as recipients from './recipient-queries.ts';

export type CommentService = ReturnType<typeof createCommentService>;

/** One page of comments; `authorAvatar` is a file name, or the empty string. */
export interface CommentPage {
  items: (Comment & { authorAvatar: string })[];
  total: number;
  page: number;
  pageCount: number;
}

const ONLY_PAGE = { page: 1, pageCount: 1, offset: 0 };

interface Parts {
  db: Database;
  events: Events;
  quotas: Quotas;
  /** The user of that name, or null. */
  findUser: (username: string) => Promise<{ _id: string } | null>;
  now: () => number;
}

/**
 * Comments. Each is addressed to the article's author and to the user it replies to, its own writer left out; each of them has a
 * read mark of their own. What hangs on an article its reader may no longer see is neither listed nor counted.
 */
export function createCommentService({ db, events, quotas, findUser, now }: Parts) {
  async function present(rows: queries.CommentRow[], viewer: Reader | null): Promise<Comment[]> {
    const marks = viewer
      ? await recipients.readMarks(
          db.read,
          rows.map((row) => row.id),
        )
      : new Map<string, never>();
    return rows.map((row) => toComment(row, isRead(row, marks.get(row.id), viewer)));
  }

  /** `recipientIds` are those whose number of unread comments has changed. */
  const changed = (trx: Trx, articleId: string, recipientIds: string[]) =>
    events.emit(trx, { type: 'comments-changed', articleId, recipientIds });

  return {
    /** Comments under an article, newest first; empty when `viewer` may not see it. */
    async ofArticle(articleId: string, viewer: Reader | null): Promise<Comment[]> {
      return present(await queries.listOfArticle(db.read, articleId, viewer), viewer);
    },

    /** One page of what `ofArticle` answers, with the writers' avatars. `page` is clamped to those that exist. */
    async pageOfArticle(articleId: string, page: number, viewer: Reader | null): Promise<CommentPage> {
      let [rows, place] = [await queries.listNewestOfArticle(db.read, articleId, viewer), ONLY_PAGE];
      let total = rows.length;
      // Nearly every article has one page: the rows say so, nothing needs to be counted.
      if (total > COMMENTS_SHOWN) {
        total = await queries.countOfArticle(db.read, articleId);
        place = locatePage({ page, pageSize: COMMENTS_SHOWN }, total);
        const { offset } = place;
        const limit = COMMENTS_SHOWN;
        if (offset > 0) rows = await queries.listSomeOfArticle(db.read, articleId, viewer, { offset, limit });
      }
      const comments = await present(rows.slice(0, COMMENTS_SHOWN), viewer);
      return {
        items: comments.map((comment, index) => ({
          ...comment,
          authorAvatar: rows[index]?.author_avatar ?? '',
        })),
        total,
        page: place.page,
        pageCount: place.pageCount,
      };
    },

    /** What the viewer has received or written, newest first. */
    async ofUser(
      type: 'to_user' | 'create_user',
      request: PageRequest,
      viewer: Viewer,
    ): Promise<List<Comment>> {
      const isReceived = type === 'to_user';
      const total = await (isReceived
        ? recipients.countReceived(db.read, viewer)
        : queries.countWritten(db.read, viewer));
      const page = { offset: locatePage(request, total).offset, limit: request.pageSize };
      const rows = await (isReceived ? recipients.listReceived : queries.listWritten)(db.read, viewer, page);
      return { result: await present(rows, viewer), total };
    },

    /**
     * Adds a comment; the same `request_id` again answers with the one that is there. `reply_content` is kept only where
     * `reply_user` really wrote it there, so that nobody puts words into somebody's mouth.
     * Refuses with ARTICLE_NOT_FOUND, REPLY_USER_NOT_FOUND, QUOTA_REACHED.
     */
    async create(input: CallInput<'commentCreate'>, viewer: Viewer): Promise<Comment> {
      const replied = input.reply_user === '' ? null : await findUser(input.reply_user);
      // Somebody may well be called `undefined`; without such a user it means that there is none to reply to.
      if (!replied && !isAbsent(input.reply_user)) refuse('REPLY_USER_NOT_FOUND');
      const id = await db.write(async (trx) => {
        const requestId = input.request_id === '' ? null : input.request_id;
        const former = requestId === null ? null : await queries.findByRequest(trx, viewer.id, requestId);
        if (former) return former.id;
        const article = await trx
          .selectFrom('articles')
          .select(['id', 'author_id', 'is_public'])
          .where('id', '=', input.page_id)
          .where(visibleTo(viewer))
          .executeTakeFirst();
        if (!article) refuse('ARTICLE_NOT_FOUND');
        await quotas.use(trx, viewer, 'commentsInMinute');
        await quotas.use(trx, viewer, 'comments');
        const addressees = new Set([article.author_id, ...(replied ? [replied._id] : [])]);
        addressees.delete(viewer.id);
        const comment = {
          id: newId(),
          article_id: article.id,
          author_id: viewer.id,
          content: input.content,
          reply_user_id: replied?._id ?? null,
          reply_content: replied ? await quoted(trx, article.id, replied._id, input.reply_content) : '',
          create_time: now(),
          request_id: requestId,
        };
        await queries.insertComment(trx, comment, [...addressees]);
        // To whom the article is hidden, the comment is not counted either.
        const counting = [...addressees].filter((id) => article.is_public === 1 || id === article.author_id);
        changed(trx, article.id, counting);
        return comment.id;
      });
      const row = (await queries.findComment(db.read, id, viewer)) ?? refuse('COMMENT_NOT_FOUND');
      const [comment] = await present([row], viewer);
      return comment ?? refuse('COMMENT_NOT_FOUND');
    },

    /** Marks as read those of the comments that are addressed to the viewer; the others stay as they are. */
    async markRead(ids: readonly string[], viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        const count = await recipients.countUnreadAmong(trx, ids, viewer.id);
        await recipients.markRead(trx, ids, viewer.id);
        if (count > 0) events.emit(trx, { type: 'comments-read', userId: viewer.id });
      });
    },

    /** How many comments addressed to the viewer are unread. */
    countUnread: (viewer: Reader): Promise<number> => recipients.countReceived(db.read, viewer, true),

    /** Users with an unread comment under an article, whoever may see it now. */
    unreadRecipients: (articleId: string): Promise<string[]> =>
      recipients.listUnreadUnder(db.read, articleId),

    /** How many comments the user has written under articles the user may see. */
    countWritten: (user: Reader): Promise<number> => queries.countWritten(db.read, user),

    /** Removes a comment of the viewer's, or one on the viewer's article. Refuses with COMMENT_NOT_FOUND, NOT_YOURS. */
    async remove(id: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        const row = (await queries.findComment(trx, id, viewer)) ?? refuse('COMMENT_NOT_FOUND');
        if (row.author_id !== viewer.id && row.to_user_id !== viewer.id) refuse('NOT_YOURS');
        const counting = await recipients.listUnreadRecipients(trx, id);
        await queries.deleteComment(trx, id);
        changed(trx, row.article_id, counting);
      });
    },
  };
}

/** What the comment that is quoted says; empty where that user has written no such comment under the article. */
async function quoted(trx: Trx, articleId: string, authorId: string, quote: string): Promise<string> {
  if (quote === '') return '';
  return (await queries.findQuoted(trx, { articleId, authorId, quote }))?.content ?? '';
}

/** An addressee sees their own mark, the writer that of whom they wrote to, everybody else none. */
function isRead(
  row: queries.CommentRow,
  marks: Map<string, boolean> | undefined,
  viewer: Reader | null,
): boolean {
  if (!viewer) return false;
  const own = marks?.get(viewer.id);
  if (own !== undefined) return own;
  if (row.author_id !== viewer.id) return false;
  return marks?.get(row.reply_user_id ?? row.to_user_id) ?? marks?.get(row.to_user_id) ?? false;
}

function toComment(row: queries.CommentRow, is_read: boolean): Comment {
  return {
    _id: row.id,
    content: row.content,
    create_user: row.author,
    to_user: row.to_user,
    page_id: row.article_id,
    page_title: row.title,
    create_time: toInstant(row.create_time),
    is_read,
    reply_user: row.reply_user ?? '',
    reply_content: row.reply_content,
  };
}
