import { COMMENT_EDIT_MS } from '../../contract/rules/bounds.ts';
import type { Comment } from '../../contract/entities.ts';
import type { CallInput } from '../../contract/calls/calls.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { isAbsent } from '../../contract/fields.ts';
import type { Reader } from '../db/visibility.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import { asClean, type CleanText } from '../shared/clean-text.ts';
import { idsIn, newId } from '../shared/ids.ts';
import { addressed, addresseesOf, seeing } from './addressees.ts';
import { createCommentLists } from './comment-lists.ts';
import * as queries from './comment-queries.ts';
import { insertComment, findForeignTarget, type CommentRow } from './comment-queries.ts';
import { extraOf, isRead, toComment } from './comment-views.ts';
import { findMentioned, writeMentions, readMentions } from './mention-queries.ts';
import { findQuoted, findReplied } from './quote-queries.ts';
import * as recipients from './recipient-queries.ts';
import { createWithheldComments, type WithheldComments } from './withheld-comments.ts';
import { findAnywhere, findWithheldComment, insertWithheld, updateWithheld } from './withheld-queries.ts';
import type { Uses } from '../services.ts';
import type { ModerationState } from '../../contract/moderation-moves.ts';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { amongNames } from '../../contract/rules/names.ts';
import { renderComment } from '../../markdown/comment.ts';

export type CommentService = ReturnType<typeof createCommentService>;

/**
 * Comments. Their recipients are the article's author, the user they reply to and the users they mention,
 * except their own author; each recipient has a read mark. Comments under articles that the viewer may not
 * see are neither listed nor counted. Only their author sees pending and hidden comments (moderation/),
 * marked as such.
 */
export function createCommentService(
  parts: Uses<'quotas' | 'moderation' | 'origins' | 'humans' | 'notices' | 'users'>,
) {
  const { db, events, quotas, moderation, origins, humans, notices, users, now } = parts;
  const htmlOf = createCommentHtml();
  const withheld = createWithheldComments({ ...parts, present, changed });

  async function present(rows: queries.CommentRow[], viewer: Reader | null): Promise<Comment[]> {
    const marks = viewer ? await recipients.readMarks(db.read, idsIn(rows)) : new Map<string, never>();
    const htmls = await htmlOf(rows);
    return rows.map((row, at) => ({
      ...toComment(row, isRead(row, marks.get(row.id), viewer)),
      ...extraOf(htmls[at]),
    }));
  }

  async function find(id: string, viewer: Reader | null): Promise<Comment | null> {
    const row = await queries.findComment(db.read, id, viewer);
    if (row) return (await present([row], viewer))[0] ?? null;
    return (viewer && (await withheld.of(viewer, null)).find(({ _id }) => _id === id)) ?? null;
  }

  const presentOne = async (id: string, viewer: Reader): Promise<Comment> =>
    (await find(id, viewer)) ?? refuse('COMMENT_NOT_FOUND');

  /**
   * Presents a comment that the viewer has just written and no one has read.
   * @param known its row, if it is no reply
   */
  async function presentNew(id: string, viewer: Reader, known: queries.CommentRow | null): Promise<Comment> {
    const row = known ?? (await queries.findComment(db.read, id, viewer));
    if (!row) return presentOne(id, viewer);
    const [html] = await htmlOf([row]);
    return { ...toComment(row, false), ...extraOf(html) };
  }

  function changed(trx: Trx, comment: queries.ChangedComment, recipientIds: string[]): void {
    const { article_id: articleId, author_id: authorId } = comment;
    events.emit(trx, { type: 'comments-changed', articleId, authorId, recipientIds });
  }

  const rewrite = createRewrite({ ...parts, withheld, changed });
  const lists = createCommentLists({ ...parts, htmlOf, present, withheld });
  return {
    ...lists,
    withheldOf: withheld.of,
    hide: withheld.hide,
    unhide: withheld.unhide,
    removeWithheld: withheld.remove,
    anyOf: withheld.anyOf,
    import: createImportComment(parts),
    findQuoted,

    /**
     * Adds a comment; a repeated `request_id` returns the existing comment. It quotes a comment by
     * `reply_user` under the article, or none. Each mentioned user gets one notification. Refuses with
     * ARTICLE_NOT_FOUND, COMMENTS_CLOSED, REPLY_USER_NOT_FOUND, QUOTA_REACHED, CHECK_NEEDED, CHECK_FAILED,
     * and as `judgeComment` does. A pending comment notifies no one until it is approved.
     */
    async create(input: CallInput<'commentCreate'>, viewer: Viewer): Promise<Comment> {
      const replied = input.reply_user === '' ? null : await users.find(input.reply_user);
      // A user may be named `undefined`. If there is no such user, the comment is no reply.
      if (!replied && !isAbsent(input.reply_user)) refuse('REPLY_USER_NOT_FOUND');
      const requestId = input.request_id === '' ? null : input.request_id;
      // A retry must not be judged as a repetition of itself.
      const sent = requestId === null ? null : await queries.findByRequest(db.read, viewer.id, requestId);
      if (sent) return presentOne(sent.id, viewer);
      const useProof = await humans.ofComment(viewer, input.check);
      const judgement = await moderation.judgeComment({ id: null, author: viewer, source: input.content });
      const { id, isNew, row } = await db.write(async (trx) => {
        const former = requestId === null ? null : await queries.findByRequest(trx, viewer.id, requestId);
        if (former) return { id: former.id, isNew: false, row: null };
        const article = await queries.findCommented(trx, input.page_id, viewer);
        if (!article) refuse('ARTICLE_NOT_FOUND');
        if (article.comments_closed === 1) refuse('COMMENTS_CLOSED');
        await quotas.use(trx, viewer, { commentsInMinute: 1, comments: 1 });
        const content = judgement.source;
        const mentioned = await findMentioned(trx, article, content);
        const comment = {
          id: newId(),
          article_id: article.id,
          author_id: viewer.id,
          content,
          reply_user_id: replied?._id ?? null,
          reply_comment_id: replied && (await quotedIn(trx, article.id, replied._id, input)),
          create_time: now(),
          request_id: requestId,
          edit_time: null,
          mentions: writeMentions(mentioned),
        };
        const addressees = addresseesOf(comment, article.author_id, mentioned);
        await useProof(trx);
        await judgement.remember(trx, comment.id);
        await origins.note(trx, 'comment', comment.id, viewer);
        if (judgement.reasons.length > 0) {
          const unread = addressees.map((userId) => [userId, 0] as const);
          await insertWithheld(trx, comment, unread);
          await moderation.hold(trx, { kind: 'comment', id: comment.id }, judgement.reasons, judgement.words);
          return { id: comment.id, isNew: false, row: null };
        }
        await queries.insertComment(trx, comment, addressees);
        await notices.notify(trx, addressed(article, comment, addressees, 'comment.created'));
        changed(trx, comment, seeing(article, addressees));
        const { title, to_user, author, author_name, author_avatar, author_id: to_user_id } = article;
        const by = { author, author_name, author_avatar };
        const shown = { title, to_user, to_user_id, ...by, reply_user: null, reply_name: null, quote: null };
        return { id: comment.id, isNew: true, row: replied ? null : { ...comment, ...shown } };
      });
      return isNew ? presentNew(id, viewer, row) : presentOne(id, viewer);
    },

    /**
     * Changes the viewer's comment, for 15 minutes. Recipients and read marks stay; newly mentioned users are
     * notified. A change that must wait for staff is returned as `pending_content`. Refuses with
     * COMMENT_NOT_FOUND, NOT_YOURS, EDIT_TOO_LATE, QUOTA_REACHED, and as `judgeComment` does.
     */
    async edit({ id, content }: CallInput<'commentEdit'>, viewer: Viewer): Promise<Comment> {
      const judgement = await moderation.judgeComment({ id, author: viewer, source: content });
      const isPending = await db.write(async (trx): Promise<boolean> => {
        const shown = await queries.findComment(trx, id, viewer);
        const row = shown ?? (await findWithheldComment(trx, id, viewer)) ?? refuse('COMMENT_NOT_FOUND');
        if (row.author_id !== viewer.id) refuse('NOT_YOURS');
        if (row.content === judgement.source) {
          await moderation.dropChange(trx, 'comment', id);
          return false;
        }
        if (now() - row.create_time > COMMENT_EDIT_MS) refuse('EDIT_TOO_LATE');
        await quotas.use(trx, viewer, { commentsInMinute: 1 });
        await origins.note(trx, 'comment', id, viewer);
        if (shown && judgement.mustReview && judgement.reasons.length === 0) {
          await judgement.remember(trx, id);
          const submitted = { content: judgement.source };
          await moderation.submitChange(trx, { kind: 'comment', id, author_id: viewer.id }, submitted);
          return true;
        }
        await moderation.dropChange(trx, 'comment', id);
        const former = shown ? 'shown' : await withheld.stateOf(trx, id);
        await rewrite(trx, { row, isShown: shown !== null, content: judgement.source }, () =>
          moderation.settle(trx, { kind: 'comment', id, former }, judgement),
        );
        return false;
      });
      const comment = await presentOne(id, viewer);
      return isPending ? { ...comment, pending_content: judgement.source } : comment;
    },

    /** Publishes inside `trx` the approved change of a public comment; returns false if it is not public. */
    async applyChange(trx: Trx, id: string, content: string): Promise<boolean> {
      const row = await findAnywhere(trx, id);
      if (!row) return false;
      const approved = { row, isShown: true, content: asClean(content, 'staff') };
      await rewrite(trx, approved, () => Promise.resolve('shown'));
      return true;
    },

    /** Marks comments addressed to the viewer as read; ignores the others. */
    async markRead(ids: readonly string[], viewer: Viewer): Promise<void> {
      await db.writeAside(async (trx) => {
        const count = await recipients.countUnreadAmong(trx, ids, viewer.id);
        await recipients.markRead(trx, ids, viewer.id);
        if (count > 0) events.emit(trx, { type: 'comments-read', userId: viewer.id });
      });
    },

    find,

    countUnread: (viewer: Reader): Promise<number> => recipients.countUnread(db.read, viewer),

    countUnreadOf: (ids: readonly string[]): Promise<Map<string, number>> =>
      recipients.countUnreadOf(db.read, ids),

    /** Users with an unread comment under an article, regardless of visibility. */
    unreadRecipients: (articleId: string): Promise<string[]> =>
      recipients.listUnreadUnder(db.read, articleId),

    isVisible: async (articleId: string, viewer: Reader): Promise<boolean> =>
      (await queries.findCommented(db.read, articleId, viewer)) !== undefined,

    countWritten: (user: Reader): Promise<number> => queries.countWritten(db.read, user),

    /**
     * Removes the viewer's comment, or one on the viewer's article. Refuses with COMMENT_NOT_FOUND,
     * NOT_YOURS.
     */
    async remove(id: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        const row = await queries.findComment(trx, id, viewer);
        if (!row) {
          if (!(await findWithheldComment(trx, id, viewer))) refuse('COMMENT_NOT_FOUND');
          return withheld.remove(trx, id);
        }
        if (row.author_id !== viewer.id && row.to_user_id !== viewer.id) refuse('NOT_YOURS');
        const counting = await recipients.listUnreadRecipients(trx, id);
        await queries.deleteComment(trx, id);
        changed(trx, row, counting);
      });
    },
  };
}

async function quotedIn(
  trx: Trx,
  articleId: string,
  authorId: string,
  { reply_id: id, reply_content: quote }: Pick<CallInput<'commentCreate'>, 'reply_id' | 'reply_content'>,
): Promise<string | null> {
  if (id !== undefined) return findReplied(trx, { articleId, authorId, id });
  return quote === '' ? null : findQuoted(trx, { articleId, authorId, quote });
}

interface Parts extends Uses<'notices'> {
  withheld: Pick<WithheldComments, 'hide'>;
  changed(trx: Trx, comment: queries.ChangedComment, recipientIds: string[]): void;
}

function createRewrite({ notices, withheld, changed, now }: Parts) {
  /**
   * Replaces the text of a comment inside `trx`. Recipients and read marks stay; newly mentioned users are
   * notified once they see it. `settle` returns the state of the comment with its new text. Refuses with
   * COMMENT_NOT_FOUND.
   */
  return async function rewrite(
    trx: Trx,
    { row, isShown, content }: { row: queries.CommentRow; isShown: boolean; content: CleanText },
    settle: () => Promise<ModerationState>,
  ): Promise<void> {
    const { id, author_id } = row;
    const article =
      (await queries.findCommented(trx, row.article_id, { id: author_id })) ?? refuse('COMMENT_NOT_FOUND');
    const mentioned = await findMentioned(trx, article, content);
    const ids = mentioned.map(([user]) => user).filter((user) => user !== author_id);
    const edited = { content, edit_time: now(), mentions: writeMentions(mentioned) };
    const state = await settle();
    if (!isShown) return updateWithheld(trx, id, edited, ids);
    await queries.updateComment(trx, id, edited);
    const told = (await recipients.readMarks(trx, [id])).get(id);
    const added = ids.filter((user) => !told?.has(user));
    await queries.addRecipients(trx, row, added);
    if (state !== 'shown') return withheld.hide(trx, id);
    await notices.notify(trx, addressed(article, row, added));
    changed(trx, row, seeing(article, added));
  };
}

export interface ForeignComment {
  /** 24 hex digits that no other comment has. */
  id: string;
  articleId: string;
  authorId: string;
  content: string;
  created: number;
  /** The user and the comment that it replies to, if this site has them. */
  reply: { userId: string; commentId: string | null } | null;
  isRead: boolean;
  /** Not shown yet on the other site, so it is pending here. */
  isHeld: boolean;
}

/** Imports comments of other sites without judging, quotas or notifications. */
function createImportComment({ events, moderation, origins }: Uses<'moderation' | 'origins'>) {
  /**
   * Adds a comment inside `trx`, with the recipients that it would have if written here.
   * @returns false if its article is gone
   */
  return async function importComment(trx: Trx, foreign: ForeignComment): Promise<boolean> {
    const { id, articleId, authorId, content, created, reply, isRead } = foreign;
    const article = await findForeignTarget(trx, articleId);
    if (!article) return false;
    const mentioned = await findMentioned(trx, article, content);
    const comment = {
      id,
      article_id: articleId,
      author_id: authorId,
      content: asClean(content, 'operator'),
      reply_user_id: reply?.userId ?? null,
      reply_comment_id: reply?.commentId ?? null,
      create_time: created,
      request_id: null,
      edit_time: null,
      mentions: writeMentions(mentioned),
    };
    const addressees = addresseesOf(comment, article.author_id, mentioned);
    await origins.note(trx, 'comment', id, { id: authorId, origin: 'import' });
    if (foreign.isHeld) {
      const unread = addressees.map((userId) => [userId, 0] as const);
      await insertWithheld(trx, comment, unread);
      await moderation.hold(trx, { kind: 'comment', id }, ['imported']);
      return true;
    }
    await insertComment(trx, comment, addressees, isRead);
    // Imported unread comments count for their readers from the next page on; no red dot appears now.
    events.emit(trx, { type: 'comments-changed', articleId, authorId, recipientIds: [] });
    return true;
  };
}

type Written = Pick<CommentRow, 'content' | 'mentions'>;

/** Cache size: texts and their HTML, in UTF-16 units. */
const MAX_CACHE_CHARACTERS = 4_000_000;
/** Rendering yields to other work after this time. One comment takes at most 8 ms (markdown/comment.ts). */
const TURN_BUDGET_MS = 10;

/**
 * Renders comments to HTML with links to mentioned users, when they are read, and caches the HTML. Most
 * comments are plain words, which take no time, and cached pages need no rendering. See
 * docs/features/comments.md.
 * @returns a function that renders comments; '' for text that is shown as it is
 */
function createCommentHtml(): (comments: readonly Written[]) => Promise<string[]> {
  const cache = new LRUCache<string, string>({
    maxSize: MAX_CACHE_CHARACTERS,
    sizeCalculation: (html, key) => html.length + key.length + 1,
  });
  const render = ({ content, mentions }: Written): string => {
    // NUL never occurs in a text.
    const key = mentions === '' ? content : `${content}\0${mentions}`;
    const html = cache.get(key) ?? renderComment(content, accountsOf(mentions));
    if (html !== '') cache.set(key, html);
    return html;
  };
  return async (comments) => {
    const htmls: string[] = [];
    let began = performance.now();
    for (const comment of comments) {
      htmls.push(render(comment));
      if (performance.now() - began < TURN_BUDGET_MS) continue;
      await setImmediate();
      began = performance.now();
    }
    return htmls;
  };
}

const accountsOf = (mentions: string) =>
  mentions === '' ? undefined : amongNames(readMentions(mentions).map(([, name]) => name));
