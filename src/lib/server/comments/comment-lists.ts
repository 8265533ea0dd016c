import {
  BOUNDS,
  COMMENTS_SHOWN,
  MAX_CONVERSATION_COMMENTS,
  type CommentOrder,
} from '../../contract/rules/bounds.ts';
import { inConversation } from './conversation.ts';
import type { Comment, List } from '../../contract/entities.ts';
import type { Reader } from '../db/visibility.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import * as queries from './comment-queries.ts';
import { extraOf, isParty, isRead, listed, type ListedComment, type Parties } from './comment-views.ts';
import * as recipients from './recipient-queries.ts';
import type { WithheldComments } from './withheld-comments.ts';
import type { Core } from '../services.ts';
import { idsIn } from '../shared/ids.ts';

/** Batch size: at most 2.5 MB, see COMMENT_PAGE_SIZE. */
const BATCH_SIZE = 100;

const ONLY_PAGE = { page: 1, pageCount: 1, offset: 0 };

interface Parts extends Core {
  htmlOf(rows: readonly queries.CommentRow[]): Promise<string[]>;
  present(rows: queries.CommentRow[], viewer: Reader | null): Promise<Comment[]>;
  withheld: WithheldComments;
}

export function createCommentLists({ db, htmlOf, present, withheld }: Parts) {
  /** Returns the ids of an article's comments as conversations; null if it has too many for that. */
  async function conversationsOf(articleId: string): Promise<string[] | null> {
    const rows = await queries.listThreadRows(db.read, articleId, MAX_CONVERSATION_COMMENTS + 1);
    return rows.length > MAX_CONVERSATION_COMMENTS ? null : inConversation(rows);
  }

  return {
    /**
     * Yields the newest BOUNDS.commentsListed comments in batches; none if `viewer` may not see the article.
     */
    async *newestUnder(articleId: string, viewer: Reader | null): AsyncGenerator<ListedComment[]> {
      let than: queries.CommentRow | null = null;
      for (let left: number = BOUNDS.commentsListed; left > 0; left -= BATCH_SIZE) {
        const limit = Math.min(BATCH_SIZE, left);
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
     * Returns a page of an article's comments with positions, in `order`; empty if `viewer` may not see it.
     * `isClamped`: the requested page is beyond the last one, which is returned.
     */
    async pageUnder(
      articleId: string,
      request: PageRequest & { order: CommentOrder },
      viewer: Reader | null,
    ): Promise<{ comments: ListedComment[]; isClamped: boolean }> {
      const ids = request.order === 'conversation' ? await conversationsOf(articleId) : null;
      if (ids) {
        const { page, offset } = locatePage(request, ids.length);
        const part = ids.slice(offset, offset + request.pageSize);
        const rows = await queries.listInOrder(db.read, part, viewer);
        const htmls = await htmlOf(rows);
        const comments = rows.map((row, index) =>
          listed(row, { position: offset + part.indexOf(row.id) + 1, ...extraOf(htmls[index]) }),
        );
        return { comments, isClamped: page !== request.page };
      }
      const order: queries.TimeOrder = request.order === 'oldest' ? 'oldest' : 'newest';
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

    /** Returns the comments among `ids` that visitors see, in any order. */
    listPublic: async (ids: readonly string[]): Promise<Comment[]> =>
      present(await queries.listByIds(db.read, ids), null),

    async readAmong(comments: readonly Parties[], viewer: Reader): Promise<Set<string>> {
      const concerned = comments.filter((parties) => isParty(parties, viewer));
      const ids = idsIn(concerned);
      const marks = await recipients.readMarks(db.read, ids);
      return new Set(ids.filter((id, at) => isRead(concerned[at] as Parties, marks.get(id), viewer)));
    },

    async pageOfArticle(
      articleId: string,
      { page, order: asked }: { page: number; order: CommentOrder },
      viewer: Reader | null,
    ) {
      const presented = async (rows: queries.CommentRow[]) => {
        const comments = await present(rows, viewer);
        return comments.map((comment, index) => ({
          ...comment,
          authorAvatar: rows[index]?.author_avatar ?? '',
        }));
      };
      const ids = asked === 'conversation' ? await conversationsOf(articleId) : null;
      if (ids) {
        const { offset, page: shown, pageCount } = locatePage({ page, pageSize: COMMENTS_SHOWN }, ids.length);
        const part = ids.slice(offset, offset + COMMENTS_SHOWN);
        const items = await presented(await queries.listInOrder(db.read, part, viewer));
        return { items, total: ids.length, page: shown, pageCount, order: asked };
      }
      const order: queries.TimeOrder = asked === 'oldest' ? 'oldest' : 'newest';
      let [rows, place] = [await queries.listNewestOfArticle(db.read, articleId, viewer), ONLY_PAGE];
      let total = rows.length;
      // Nearly every article has one page, so its rows need no count query.
      if (total > COMMENTS_SHOWN) {
        total = await queries.countOfArticle(db.read, articleId);
        place = locatePage({ page, pageSize: COMMENTS_SHOWN }, total);
        const { offset } = place;
        const part = { offset, limit: COMMENTS_SHOWN, order };
        if (offset > 0 || order === 'oldest')
          rows = await queries.listPartOfArticle(db.read, articleId, viewer, part);
      } else if (order === 'oldest') rows.reverse();
      return {
        items: await presented(rows.slice(0, COMMENTS_SHOWN)),
        total,
        page: place.page,
        pageCount: place.pageCount,
        order,
      };
    },

    async pageOf(articleId: string, id: string, viewer: Reader | null): Promise<number | null> {
      const row = await queries.findComment(db.read, id, viewer);
      if (row?.article_id !== articleId) return null;
      return Math.floor((await queries.countNewer(db.read, row)) / COMMENTS_SHOWN) + 1;
    },

    async ofUser(
      type: 'to_user' | 'create_user',
      request: PageRequest,
      viewer: Reader,
    ): Promise<List<Comment>> {
      const isReceived = type === 'to_user';
      // Pending and hidden comments precede the others: only their author sees them and can act on them.
      const waiting = isReceived ? [] : await withheld.of(viewer, null);
      const shown = await (isReceived
        ? recipients.countReceived(db.read, viewer)
        : queries.countWritten(db.read, viewer));
      const total = waiting.length + shown;
      const { offset } = locatePage(request, total);
      const first = waiting.slice(offset, offset + request.pageSize);
      const page = {
        offset: Math.max(0, offset - waiting.length),
        limit: request.pageSize - first.length,
      };
      const rows =
        page.limit === 0
          ? []
          : await (isReceived ? recipients.listReceived : queries.listWritten)(db.read, viewer, page);
      const comments = await present(rows, viewer);
      const result = isReceived ? comments : await withheld.withChanges(comments);
      return { result: [...first, ...result], total };
    },
  };
}
