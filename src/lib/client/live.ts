import type { Socket } from 'socket.io-client';

/** Events of CONTRACT.md, "Live socket". */
const UNREAD = 'unread-comment';
const COMMENTS = 'article-comments';
const WATCH = 'watch-article';

export interface Tidings {
  unread(count: number): void;
  /** Called when the comments of the watched article have changed. */
  comments(articleId: string): void;
}

export interface Live {
  /** Subscribes to the comments of an article, in place of the previous one. */
  watch(articleId: string): void;
  isOpen(): boolean;
  close(): void;
}

/**
 * Opens the live socket. It never reconnects, because the next page opens a new one. A refused connection is
 * only logged. Closing works before the connection is open, too.
 */
export function openLive(token: string, tidings: Tidings): Live {
  let isClosed = false;
  let watched: string | null = null;
  let socket: Socket | null = null;
  const explain = (error: unknown) => console.info('live updates are off:', String(error));
  const open = async () => {
    const { io } = await import('socket.io-client');
    if (isClosed) return;
    // Pages from an edge server name the origin of the socket; otherwise it is the origin of the page.
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
      // Browsers log an error if a WebSocket is closed before it is open.
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
