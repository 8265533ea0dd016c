/**
 * What has just been committed, for whoever keeps copies of it: the page cache, live sockets, other nodes. Emitted after the
 * commit and before the call answers.
 */
export type BlogEvent =
  | { type: 'article-changed'; articleId: string; authorId: string; change: PublicChange | null }
  | { type: 'comments-changed'; articleId: string; recipientIds: string[] }
  | { type: 'comments-read'; userId: string }
  | { type: 'tag-changed'; name: string }
  | { type: 'user-changed'; username: string; what: 'bio' | 'avatar' }
  | { type: 'signed-out'; signinId: string };

/** What of an article everybody sees otherwise now; events carry null for one that was hidden and is. */
export interface PublicChange {
  /** It appeared, went or moved in time: lists, numbers and neighbours are others now. */
  movesInLists: boolean;
  /** What lists show of it: title, tags, summary. */
  changesCard: boolean;
  /** Tags that have other articles now. */
  tags: string[];
  /** Articles whose pages name it as the one before or after, or did. */
  neighbours: string[];
}

export interface Events {
  emit(event: BlogEvent): void;
  /** Calls `listener` for each event from now on; returns how to stop. */
  listen(listener: (event: BlogEvent) => void): () => void;
}

/** A synchronous dispatcher. A listener that throws is reported to `onFault` and does not stop the others. */
export function createEvents(onFault: (error: unknown) => void): Events {
  const listeners = new Set<(event: BlogEvent) => void>();
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onFault(error);
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
