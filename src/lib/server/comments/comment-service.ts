import { BOUNDS, COMMENTS_SHOWN } from '../../contract/bounds.ts';
import type { Comment, List } from '../../contract/entities.ts';
import type { CallInput } from '../../contract/calls.ts';
import { refuse } from '../../contract/errors.ts';
import { isAbsent } from '../../contract/fields.ts';
import type { Reader } from '../db/visibility.ts';
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

/** Who could have a mark of a comment, or see one. */
export type Parties = Pick<queries.CommentRow, 'id' | 'author_id' | 'to_user_id' | 'reply_user_id'>;

/** A comment as visitors read it, who see no marks. */
export interface ListedComment {
  comment: Comment;
  parties: Parties;
}

/** Rows read at once: 2.5 MB at most, see COMMENTS_A_PAGE. */
const BATCH = 100;

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
 * Comments, each addressed to the article's author and the user it replies to, but its own writer, with a
 * read mark each. What hangs on an article its reader may no longer see is neither listed nor counted.
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
    /** The newest BOUNDS.commentsListed comments, in batches as wanted; none if `viewer` may not see it. */
    async *newestUnder(articleId: string, viewer: Reader | null): AsyncGenerator<ListedComment[]> {
      let than: queries.CommentRow | null = null;
      for (let left: number = BOUNDS.commentsListed; left > 0; left -= BATCH) {
        const limit = Math.min(BATCH, left);
        const rows: queries.CommentRow[] = await queries.listOlder(db.read, articleId, viewer, {
          than,
          limit,
        });
        yield rows.map((row) => listed(row));
        if (rows.length < limit) return;
        than = rows.at(-1) ?? null;
      }
    },

    /**
     * A page of an article's comments, newest first, with positions; empty if `viewer` may not see it.
     * `isClamped`: the page asked for is beyond the last, which is answered.
     */
    async pageUnder(
      articleId: string,
      request: PageRequest,
      viewer: Reader | null,
    ): Promise<{ comments: ListedComment[]; isClamped: boolean }> {
      const total = await queries.countOfArticle(db.read, articleId);
      const { page, offset } = locatePage(request, total);
      const part = { offset, limit: request.pageSize };
      const rows = await queries.listPartOfArticle(db.read, articleId, viewer, part);
      return {
        comments: rows.map((row, index) => listed(row, row.total - offset - index)),
        isClamped: page !== request.page,
      };
    },

    /** Ids of those comments that `viewer` sees as read. */
    async readAmong(comments: readonly Parties[], viewer: Reader): Promise<Set<string>> {
      const concerned = comments.filter((parties) => isParty(parties, viewer));
      const ids = concerned.map(({ id }) => id);
      const marks = await recipients.readMarks(db.read, ids);
      return new Set(ids.filter((id, at) => isRead(concerned[at] as Parties, marks.get(id), viewer)));
    },

    /** A page of an article's comments with avatars; `page` is clamped. */
    async pageOfArticle(articleId: string, page: number, viewer: Reader | null): Promise<CommentPage> {
      let [rows, place] = [await queries.listNewestOfArticle(db.read, articleId, viewer), ONLY_PAGE];
      let total = rows.length;
      // Nearly every article has one page: the rows say so, nothing needs to be counted.
      if (total > COMMENTS_SHOWN) {
        total = await queries.countOfArticle(db.read, articleId);
        place = locatePage({ page, pageSize: COMMENTS_SHOWN }, total);
        const { offset } = place;
        const limit = COMMENTS_SHOWN;
        if (offset > 0) rows = await queries.listPartOfArticle(db.read, articleId, viewer, { offset, limit });
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
     * Adds a comment; a known `request_id` answers with its own. `reply_content` stays only where
     * `reply_user` really wrote it there. Refuses with ARTICLE_NOT_FOUND, REPLY_USER_NOT_FOUND,
     * QUOTA_REACHED.
     */
    async create(input: CallInput<'commentCreate'>, viewer: Viewer): Promise<Comment> {
      const replied = input.reply_user === '' ? null : await findUser(input.reply_user);
      // Somebody may well be called `undefined`; without such a user it means that there is none to reply to.
      if (!replied && !isAbsent(input.reply_user)) refuse('REPLY_USER_NOT_FOUND');
      const id = await db.write(async (trx) => {
        const requestId = input.request_id === '' ? null : input.request_id;
        const former = requestId === null ? null : await queries.findByRequest(trx, viewer.id, requestId);
        if (former) return former.id;
        const article = await queries.findCommented(trx, input.page_id, viewer);
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

    countUnread: (viewer: Reader): Promise<number> => recipients.countReceived(db.read, viewer, true),

    /** Users with an unread comment under an article, whoever may see it now. */
    unreadRecipients: (articleId: string): Promise<string[]> =>
      recipients.listUnreadUnder(db.read, articleId),

    /** How many comments the user has written under articles the user may see. */
    countWritten: (user: Reader): Promise<number> => queries.countWritten(db.read, user),

    /** Removes a viewer's comment, or one on their article. Refuses with COMMENT_NOT_FOUND, NOT_YOURS. */
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

/** What the quoted comment says; '' where that user has written no such one under the article. */
async function quoted(trx: Trx, articleId: string, authorId: string, quote: string): Promise<string> {
  if (quote === '') return '';
  return (await queries.findQuoted(trx, { articleId, authorId, quote }))?.content ?? '';
}

/** An addressee sees their own mark, the writer that of whom they wrote to, everybody else none. */
function isRead(row: Parties, marks: Map<string, boolean> | undefined, viewer: Reader | null): boolean {
  if (!viewer) return false;
  const own = marks?.get(viewer.id);
  if (own !== undefined) return own;
  if (row.author_id !== viewer.id) return false;
  return marks?.get(row.reply_user_id ?? row.to_user_id) ?? marks?.get(row.to_user_id) ?? false;
}

/** Whether the viewer's view of a comment may depend on a mark. */
export const isParty = ({ author_id, to_user_id, reply_user_id }: Parties, { id }: Reader): boolean =>
  author_id === id || to_user_id === id || reply_user_id === id;

function listed(row: queries.CommentRow, position?: number): ListedComment {
  const { id, author_id, to_user_id, reply_user_id } = row;
  const comment = toComment(row, false);
  return {
    comment: position === undefined ? comment : { ...comment, position },
    parties: { id, author_id, to_user_id, reply_user_id },
  };
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
