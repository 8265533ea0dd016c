import type { Socket } from 'socket.io-client';

/** CONTRACT.md, "Live socket". */
const UNREAD = 'unread-comment';
const COMMENTS = 'article-comments';
const WATCH = 'watch-article';

/** What the server tells. */
export interface Tidings {
  unread(count: number): void;
  /** The watched article has other comments. */
  comments(articleId: string): void;
}

export interface Live {
  /** Asks to be told of an article's comments; of one at a time. */
  watch(articleId: string): void;
  /** Whether the server can be heard. */
  isOpen(): boolean;
  close(): void;
}

/**
 * Hears what the server tells. Never reconnects: the next page does. A refused connection is only logged.
 * Returns what closes the socket, open or not.
 */
export function openLive(token: string, tidings: Tidings): Live {
  let isClosed = false;
  let watched: string | null = null;
  let socket: Socket | null = null;
  const explain = (error: unknown) => console.info('live updates are off:', String(error));
  const open = async () => {
    const { io } = await import('socket.io-client');
    if (isClosed) return;
    // Pages of an edge front say where the socket is; elsewhere it is where the page came from.
    const origin = document.documentElement.dataset['live'] ?? location.origin;
    const opened = io(origin, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token },
    });
    socket = opened;
    opened.on(UNREAD, (unread: unknown) => {
      if (!isClosed && typeof unread === 'number') tidings.unread(unread);
    });
    opened.on(COMMENTS, (articleId: unknown) => {
      if (!isClosed && typeof articleId === 'string') tidings.comments(articleId);
    });
    opened.on('connect_error', explain);
    opened.on('connect', () => {
      // Browsers complain of a websocket that is closed before it is open.
      if (isClosed) opened.disconnect();
      else if (watched !== null) opened.emit(WATCH, watched);
    });
  };
  open().catch(explain);
  return {
    watch(articleId) {
      watched = articleId;
      if (socket?.connected) socket.emit(WATCH, articleId);
    },
    isOpen: () => socket?.connected === true,
    close() {
      isClosed = true;
      if (socket?.connected) socket.disconnect();
    },
  };
}
