import type { Activity, ActivityKind } from '../../contract/calls/discovery-calls.ts';
import type { Comment } from '../../contract/entities.ts';
import type { ListedArticle } from '../articles/core/article-wire.ts';
import { createPauses } from '../jobs/pauses.ts';
import { toInstant } from '../shared/ids.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import * as queries from './activity-queries.ts';
import type { Uses } from '../services.ts';

export type ActivityService = ReturnType<typeof createActivityService>;

/** An activity with what it is about. */
export type ActivityEntry = { id: string; createTime: string } & (
  { type: 'page'; article: ListedArticle } | { type: 'comment'; comment: Comment }
);

interface Asked {
  /** '' for all users. */
  username: string;
  kind: ActivityKind | null;
}

/**
 * Public articles and the comments under them as one list, newest first, derived when it is read. Every
 * viewer gets what a visitor sees.
 */
export function createActivityService(parts: Uses<'users' | 'articles' | 'comments'>) {
  const { db, users, articles, comments } = parts;
  /** Returns null if there is no such user. */
  async function scopeOf({ username, kind }: Asked): Promise<queries.ActivityScope | null> {
    if (username.trim() === '') return { authorId: null, kind };
    const user = await users.findShown(username);
    return user && { authorId: user._id, kind };
  }

  /** Adds the articles and comments; leaves out those that have been hidden or deleted meanwhile. */
  async function fill(entries: readonly queries.Entry[]): Promise<ActivityEntry[]> {
    const idsOf = (kind: ActivityKind) => entries.flatMap(({ id, type }) => (type === kind ? [id] : []));
    const written = await articles.listPublic(idsOf('page'));
    const said = await comments.listPublic(idsOf('comment'));
    const articleAt = new Map(written.map((article) => [article.id, article]));
    const commentAt = new Map(said.map((comment) => [comment._id, comment]));
    return entries.flatMap(({ id, create_time }): ActivityEntry[] => {
      const createTime = toInstant(create_time);
      const [article, comment] = [articleAt.get(id), commentAt.get(id)];
      if (article) return [{ id, createTime, type: 'page', article }];
      return comment ? [{ id, createTime, type: 'comment', comment }] : [];
    });
  }

  return {
    /** Returns a page of activities; an empty one if there is no such user. */
    async list(asked: Asked, request: PageRequest) {
      const pauses = createPauses();
      const pause = async () => (pauses.isDue() ? pauses.take() : undefined);
      const scope = await scopeOf(asked);
      const total = scope ? await queries.countEntries(db.read, scope) : 0;
      const { page, pageCount, offset } = locatePage(request, total);
      const limit = request.pageSize;
      // Each statement visits up to 10,000 activities of each kind.
      await pause();
      const entries = scope && total > 0 ? await queries.listEntries(db.read, scope, { offset, limit }) : [];
      await pause();
      const result = await fill(entries);
      await pause();
      return { result, total, page, pageCount };
    },

    async count(asked: Asked): Promise<number> {
      const scope = await scopeOf(asked);
      return scope ? queries.countEntries(db.read, scope) : 0;
    },
  };
}

/** Converts an activity to its form in responses. */
export function toActivity(entry: ActivityEntry): Activity {
  const { id, createTime: create_time } = entry;
  if (entry.type === 'page') {
    const { item } = entry.article;
    const { create_user, update_time } = item;
    return { _id: id, id, type: 'page', create_user, create_time, update_time, content: item };
  }
  const { comment } = entry;
  const { create_user, edit_time } = comment;
  const update_time = edit_time ?? create_time;
  return { _id: id, id, type: 'comment', create_user, create_time, update_time, content: comment };
}
