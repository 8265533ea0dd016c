import { z } from 'zod';
import type { Database, Trx } from './database.ts';

/** Changes that visitors see; null in an event if the article was and stays hidden. */
const PublicChange = z.object({
  /** It appeared, disappeared or moved in time, which changes lists, counts and neighbours. */
  movesInLists: z.boolean(),
  /** Lists show it differently: title, tags, summary. */
  changesCard: z.boolean(),
  /** Tags that gained or lost articles, or whose articles have other tags now. */
  tags: z.array(z.string()),
  /** Articles whose pages link, or linked, to it as the previous or next one. */
  neighbours: z.array(z.string()),
  /** Series that show it differently now, or no longer. */
  series: z.array(z.string()),
  /** It was pinned to its author's profile, or unpinned. */
  changesPinned: z.boolean(),
});
export type PublicChange = z.infer<typeof PublicChange>;

/** Users for whom an article and its comments appeared or disappeared; `others` are all but its author. */
const Audience = z.enum(['nobody', 'author', 'others', 'everybody']);
export type Audience = z.infer<typeof Audience>;

const BlogEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('article-changed'),
    articleId: z.string(),
    authorId: z.string(),
    change: PublicChange.nullable(),
    audience: Audience,
  }),
  z.object({
    type: z.literal('comments-changed'),
    articleId: z.string(),
    /** Author of the comment. */
    authorId: z.string(),
    recipientIds: z.array(z.string()),
  }),
  z.object({ type: z.literal('comments-read'), userId: z.string() }),
  /** Their notifications were added, read or removed. */
  z.object({ type: z.literal('notifications-changed'), userIds: z.array(z.string()) }),
  z.object({ type: z.literal('tag-changed'), name: z.string() }),
  z.object({ type: z.literal('series-changed'), seriesId: z.string(), authorId: z.string() }),
  z.object({ type: z.literal('user-changed'), username: z.string(), what: z.enum(['bio', 'avatar']) }),
  /** A profile was hidden or shown again (staff/ban-service.ts). */
  z.object({ type: z.literal('profile-hidden'), username: z.string(), userId: z.string() }),
  /** These have other related articles now (discovery/related-service.ts). */
  z.object({ type: z.literal('related-changed'), articleIds: z.array(z.string()) }),
  /** Former addresses no longer redirect to these articles (redirects/former-path-service.ts). */
  z.object({ type: z.literal('former-paths-changed'), articleIds: z.array(z.string()) }),
  /** The tree of pages changed, or a page that visitors see or saw. */
  z.object({ type: z.literal('pages-changed'), articleIds: z.array(z.string()) }),
  z.object({ type: z.literal('picks-changed') }),
  z.object({ type: z.literal('words-changed') }),
  /** An item was added to the approval queue or removed from it. */
  z.object({ type: z.literal('held-changed') }),
  z.object({ type: z.literal('reports-changed') }),
  z.object({ type: z.literal('friends-changed') }),
  z.object({ type: z.literal('schedule-changed') }),
  z.object({ type: z.literal('signed-out'), signinId: z.string() }),
  z.object({ type: z.literal('webhooks-changed') }),
  z.object({ type: z.literal('options-changed') }),
  /** Part of the search index was rebuilt from the same articles (search/rebuild.ts). */
  z.object({ type: z.literal('index-rebuilt') }),
  /** Other processes have made unknown changes: any copy may be stale. */
  z.object({ type: z.literal('anything') }),
]);
/** A committed change, sent to all holders of copies: page cache, live sockets, other processes. */
export type BlogEvent = z.infer<typeof BlogEvent>;

type Listener = (event: BlogEvent, isOwn: boolean) => void;

export type Events = ReturnType<typeof createEvents>;

/** Dispatches synchronously. A listener that throws is reported to `onFault` and does not stop the others. */
export function createEvents(
  db: Pick<Database, 'afterCommit' | 'announce'>,
  onFault: (error: unknown) => void,
) {
  const listeners = new Set<Listener>();
  const dispatch = (event: BlogEvent, isOwn: boolean): void => {
    for (const listener of listeners) {
      try {
        listener(event, isOwn);
      } catch (error) {
        onFault(error);
      }
    }
  };
  return {
    /**
     * Notifies all listeners once `trx` is committed: here before the API call is answered, and in other
     * processes.
     */
    emit(trx: Trx, event: BlogEvent): void {
      db.announce(trx, event);
      db.afterCommit(trx, () => dispatch(event, true));
    },
    /** Notifies the listeners of an event from another process; an unreadable one becomes 'anything'. */
    receive(announced: unknown): void {
      // Another version of the product may send events that are unknown here.
      dispatch(BlogEvent.safeParse(announced).data ?? { type: 'anything' }, false);
    },
    /**
     * Calls `listener` for each event, with whether this process emitted it; returns a function that stops
     * it.
     */
    listen(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
