import { z } from 'zod';
import type { Database, Trx } from './database.ts';

/** What of an article everybody sees otherwise now; events carry null if it was and stays hidden. */
const PublicChange = z.object({
  /** It appeared, went or moved in time: lists, numbers and neighbours are others now. */
  movesInLists: z.boolean(),
  /** What lists show of it: title, tags, summary. */
  changesCard: z.boolean(),
  /** Tags that have other articles now, or whose articles have other tags. */
  tags: z.array(z.string()),
  /** Articles whose pages name it as the one before or after, or did. */
  neighbours: z.array(z.string()),
  /** Series that show it otherwise now, or no longer. */
  series: z.array(z.string()),
  /** It has come to the first of its author's profile, or left it. */
  changesPinned: z.boolean(),
});
export type PublicChange = z.infer<typeof PublicChange>;

/** For whom an article, and with it its comments, has come or gone; `others` are all but its author. */
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
    /** Users whose number of unread comments has changed. */
    recipientIds: z.array(z.string()),
  }),
  z.object({ type: z.literal('comments-read'), userId: z.string() }),
  z.object({ type: z.literal('tag-changed'), name: z.string() }),
  z.object({ type: z.literal('series-changed'), seriesId: z.string(), authorId: z.string() }),
  z.object({ type: z.literal('user-changed'), username: z.string(), what: z.enum(['bio', 'avatar']) }),
  /** An account's profile has come or gone (staff/ban-service.ts). */
  z.object({ type: z.literal('profile-hidden'), username: z.string(), userId: z.string() }),
  /** Other articles are related to these now (articles/related-service.ts). */
  z.object({ type: z.literal('related-changed'), articleIds: z.array(z.string()) }),
  /** Former addresses of these lead there no longer (redirects/former-path-service.ts). */
  z.object({ type: z.literal('former-paths-changed'), articleIds: z.array(z.string()) }),
  /** The front page names others as worth reading (articles/pick-service.ts). */
  z.object({ type: z.literal('picks-changed') }),
  /** The operator's list of words is another one (moderation/word-service.ts). */
  z.object({ type: z.literal('words-changed') }),
  /** Something more, or less, waits for approval. */
  z.object({ type: z.literal('held-changed') }),
  /** Something was reported, or decided. */
  z.object({ type: z.literal('reports-changed') }),
  /** Something else may be due next (articles/publisher.ts). */
  z.object({ type: z.literal('schedule-changed') }),
  z.object({ type: z.literal('signed-out'), signinId: z.string() }),
  /** The operator has settled something otherwise (settings/option-service.ts). */
  z.object({ type: z.literal('options-changed') }),
  /** Other processes have written what is not known here: every copy may be an old one. */
  z.object({ type: z.literal('anything') }),
]);
/** What was just committed, for whoever keeps copies: page cache, live sockets, other processes. */
export type BlogEvent = z.infer<typeof BlogEvent>;

type Listener = (event: BlogEvent, isOwn: boolean) => void;

export interface Events {
  /** Tells every listener once `trx` is committed: here before the call answers, and in other processes. */
  emit(trx: Trx, event: BlogEvent): void;
  /** Tells the listeners here what another process has announced; what cannot be read may be anything. */
  hear(announced: unknown): void;
  /** Calls `listener` for each event from now on, with whether it is of this process; returns how to stop. */
  listen(listener: Listener): () => void;
}

/** A synchronous dispatcher. A listener that throws is reported to `onFault` and does not stop the others. */
export function createEvents(
  db: Pick<Database, 'afterCommit' | 'announce'>,
  onFault: (error: unknown) => void,
): Events {
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
    emit(trx, event) {
      db.announce(trx, event);
      db.afterCommit(trx, () => dispatch(event, true));
    },
    hear(announced) {
      // Another version of the product may have events of its own.
      dispatch(BlogEvent.safeParse(announced).data ?? { type: 'anything' }, false);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
