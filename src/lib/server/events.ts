/**
 * What has just been committed, for whoever keeps copies of it: the page cache, live sockets, other nodes. Emitted after the
 * commit and before the call answers.
 */
export type BlogEvent =
  | { type: 'article-changed'; articleId: string; authorId: string; tags: string[]; touchesLists: boolean }
  | { type: 'comments-changed'; articleId: string; recipientIds: string[] }
  | { type: 'comments-read'; userId: string }
  | { type: 'tag-changed'; name: string }
  | { type: 'user-changed'; userId: string; username: string }
  | { type: 'signed-out'; signinId: string };

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
