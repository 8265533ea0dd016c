import { BOUNDS, COMMENT_EDIT_MS, COMMENTS_SHOWN, type CommentOrder } from '../../contract/bounds.ts';
import type { Comment, List } from '../../contract/entities.ts';
import type { CallInput } from '../../contract/calls.ts';
import { refuse } from '../../contract/errors.ts';
import { isAbsent } from '../../contract/fields.ts';
import type { Reader } from '../db/visibility.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Database, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { newId } from '../ids.ts';
import type { Teller } from '../notices/notice-service.ts';
import { locatePage, type PageRequest } from '../paging.ts';
import type { Quotas } from '../quotas/quota-service.ts';
import { addressed, seeing } from './addressees.ts';
import { createCommentHtml } from './comment-html.ts';
import * as queries from './comment-queries.ts';
import { isParty, isRead, listed, toComment, type ListedComment, type Parties } from './comment-views.ts';
import { findMentioned, writeMentions } from './mention-queries.ts';
import * as recipients from './recipient-queries.ts';

export type CommentService = ReturnType<typeof createCommentService>;

/** One page of comments; `authorAvatar` is a file name, or the empty string. */
export interface CommentPage {
  items: (Comment & { authorAvatar: string })[];
  total: number;
  page: number;
  pageCount: number;
}

/** Rows read at once: 2.5 MB at most, see COMMENTS_A_PAGE. */
const BATCH = 100;

const ONLY_PAGE = { page: 1, pageCount: 1, offset: 0 };

interface Parts {
  db: Database;
  events: Events;
  quotas: Quotas;
  /** Tells addressees outside of the site. */
  notices: Teller;
  /** The user of that name, or null. */
  findUser: (username: string) => Promise<{ _id: string } | null>;
  now: () => number;
}

/**
 * Comments, each addressed to the article's author, the user it replies to and those it mentions, but its own
 * writer, with a read mark each. What hangs on an article its reader may no longer see is neither listed nor
 * counted.
 */
export function createCommentService({ db, events, quotas, notices, findUser, now }: Parts) {
  const htmlOf = createCommentHtml();

  async function present(rows: queries.CommentRow[], viewer: Reader | null): Promise<Comment[]> {
    const marks = viewer
      ? await recipients.readMarks(
          db.read,
          rows.map((row) => row.id),
        )
      : new Map<string, never>();
    const htmls = await htmlOf(rows);
    return rows.map((row, at) => ({
      ...toComment(row, isRead(row, marks.get(row.id), viewer)),
      ...extraOf(htmls[at]),
    }));
  }

  /** A comment under an article `viewer` may see, or null; read marks are the viewer's. */
  async function find(id: string, viewer: Reader | null): Promise<Comment | null> {
    const row = await queries.findComment(db.read, id, viewer);
    return row ? ((await present([row], viewer))[0] ?? null) : null;
  }

  const presentOne = async (id: string, viewer: Reader): Promise<Comment> =>
    (await find(id, viewer)) ?? refuse('COMMENT_NOT_FOUND');

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
     * A page of an article's comments with positions, in `order`; empty if `viewer` may not see it.
     * `isClamped`: the page asked for is beyond the last, which is answered.
     */
    async pageUnder(
      articleId: string,
      request: PageRequest & { order: CommentOrder },
      viewer: Reader | null,
    ): Promise<{ comments: ListedComment[]; isClamped: boolean }> {
      const { order } = request;
      const total = await queries.countOfArticle(db.read, articleId);
      const { page, offset } = locatePage(request, total);
      const part = { offset, limit: request.pageSize, order };
      const positionOf = (at: number, count: number) => (order === 'newest' ? count - at : at + 1);
      const rows = await queries.listPartOfArticle(db.read, articleId, viewer, part);
      const htmls = await htmlOf(rows);
      return {
        comments: rows.map((row, index) =>
          listed(row, { position: positionOf(offset + index, row.total), ...extraOf(htmls[index]) }),
        ),
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
    async pageOfArticle(
      articleId: string,
      { page, order }: { page: number; order: CommentOrder },
      viewer: Reader | null,
    ): Promise<CommentPage> {
      let [rows, place] = [await queries.listNewestOfArticle(db.read, articleId, viewer), ONLY_PAGE];
      let total = rows.length;
      // Nearly every article has one page: the rows say so, nothing needs to be counted.
      if (total > COMMENTS_SHOWN) {
        total = await queries.countOfArticle(db.read, articleId);
        place = locatePage({ page, pageSize: COMMENTS_SHOWN }, total);
        const { offset } = place;
        const part = { offset, limit: COMMENTS_SHOWN, order };
        if (offset > 0 || order === 'oldest')
          rows = await queries.listPartOfArticle(db.read, articleId, viewer, part);
      } else if (order === 'oldest') rows.reverse();
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

    /** The page of an article's comments that a comment is on; null where `viewer` finds no such one. */
    async pageOf(articleId: string, id: string, viewer: Reader | null): Promise<number | null> {
      const row = await queries.findComment(db.read, id, viewer);
      if (row?.article_id !== articleId) return null;
      return Math.floor((await queries.countNewer(db.read, row)) / COMMENTS_SHOWN) + 1;
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
     * `reply_user` really wrote it there; whom it mentions is told once, however often. Refuses with
     * ARTICLE_NOT_FOUND, COMMENTS_CLOSED, REPLY_USER_NOT_FOUND, QUOTA_REACHED.
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
        if (article.comments_closed === 1) refuse('COMMENTS_CLOSED');
        await quotas.use(trx, viewer, 'commentsInMinute');
        await quotas.use(trx, viewer, 'comments');
        const mentioned = await findMentioned(trx, article, input.content);
        const addressees = new Set([
          article.author_id,
          ...(replied ? [replied._id] : []),
          ...mentioned.map(([user]) => user),
        ]);
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
          edit_time: null,
          mentions: writeMentions(mentioned),
        };
        await queries.insertComment(trx, comment, [...addressees]);
        await notices.tell(trx, addressed(article, comment, [...addressees]));
        changed(trx, article.id, seeing(article, [...addressees]));
        return comment.id;
      });
      return presentOne(id, viewer);
    },

    /**
     * Changes what the viewer's comment says, for 15 minutes; whom it was addressed to and who has read it
     * stay, and whoever is mentioned now and was not is told. Refuses with COMMENT_NOT_FOUND, NOT_YOURS,
     * EDIT_TOO_LATE, QUOTA_REACHED.
     */
    async edit({ id, content }: CallInput<'commentEdit'>, viewer: Viewer): Promise<Comment> {
      await db.write(async (trx) => {
        const row = (await queries.findComment(trx, id, viewer)) ?? refuse('COMMENT_NOT_FOUND');
        if (row.author_id !== viewer.id) refuse('NOT_YOURS');
        if (row.content === content) return;
        if (now() - row.create_time > COMMENT_EDIT_MS) refuse('EDIT_TOO_LATE');
        await quotas.use(trx, viewer, 'commentsInMinute');
        const article =
          (await queries.findCommented(trx, row.article_id, viewer)) ?? refuse('COMMENT_NOT_FOUND');
        const mentioned = await findMentioned(trx, article, content);
        const edited = { content, edit_time: now(), mentions: writeMentions(mentioned) };
        await queries.updateComment(trx, id, edited);
        const told = (await recipients.readMarks(trx, [id])).get(id);
        const ids = mentioned.map(([user]) => user);
        const added = ids.filter((user) => user !== viewer.id && !told?.has(user));
        await queries.addRecipients(trx, row, added);
        await notices.tell(trx, addressed(article, row, added));
        changed(trx, row.article_id, seeing(article, added));
      });
      return presentOne(id, viewer);
    },

    /** Marks as read those of the comments that are addressed to the viewer; the others stay as they are. */
    async markRead(ids: readonly string[], viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        const count = await recipients.countUnreadAmong(trx, ids, viewer.id);
        await recipients.markRead(trx, ids, viewer.id);
        if (count > 0) events.emit(trx, { type: 'comments-read', userId: viewer.id });
      });
    },

    find,

    countUnread: (viewer: Reader): Promise<number> => recipients.countReceived(db.read, viewer, true),

    /** Users with an unread comment under an article, whoever may see it now. */
    unreadRecipients: (articleId: string): Promise<string[]> =>
      recipients.listUnreadUnder(db.read, articleId),

    /** Whether `viewer` may see the comments of an article. */
    isVisible: async (articleId: string, viewer: Reader): Promise<boolean> =>
      (await queries.findCommented(db.read, articleId, viewer)) !== undefined,

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

/** Left out where the text is shown as it is. */
const extraOf = (html = '') => (html === '' ? {} : { html });

/** What the quoted comment says; '' where that user has written no such one under the article. */
async function quoted(trx: Trx, articleId: string, authorId: string, quote: string): Promise<string> {
  if (quote === '') return '';
  return (await queries.findQuoted(trx, { articleId, authorId, quote }))?.content ?? '';
}
