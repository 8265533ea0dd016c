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

/** Opens the live socket of a reader; see `openSocket`. */
export function openLive(token: string, tidings: Tidings): Live {
  let watched: string | null = null;
  const listeners = {
    [UNREAD]: (unread: unknown) => typeof unread === 'number' && tidings.unread(unread),
    [COMMENTS]: (articleId: unknown) => typeof articleId === 'string' && tidings.comments(articleId),
  };
  const { connected, close } = openSocket(token, 'live updates', listeners, (socket) => {
    if (watched !== null) socket.emit(WATCH, watched);
  });
  return {
    watch(articleId) {
      watched = articleId;
      connected()?.emit(WATCH, articleId);
    },
    isOpen: () => connected() !== null,
    close,
  };
}

/**
 * Opens a live socket. It never reconnects, because the next page opens a new one. A refused connection is
 * only logged. Closing works before the connection is open, too.
 * @param name of the socket in the log
 * @param listeners called with the data of their event
 * @param greet called once the socket is open
 */
export function openSocket(
  token: string,
  name: string,
  listeners: Readonly<Record<string, (data: unknown) => void>>,
  greet: (socket: Socket) => void,
): { connected(): Socket | null; close(): void } {
  let isClosed = false;
  let socket: Socket | null = null;
  const connected = () => (socket?.connected ? socket : null);
  const explain = (error: unknown) => console.info(`${name} are off:`, String(error));
  const open = async () => {
    const { io } = await import('socket.io-client');
    if (isClosed) return;
    // Pages from an edge server name the origin of the socket; otherwise it is the origin of the page.
    const origin = document.documentElement.dataset['live'] ?? location.origin;
    const options = { transports: ['websocket'], reconnection: false, forceNew: true, query: { token } };
    const opened = io(origin, options);
    socket = opened;
    for (const [event, listen] of Object.entries(listeners))
      opened.on(event, (data: unknown) => !isClosed && listen(data));
    opened.on('connect_error', explain);
    opened.on('connect', () => {
      // Browsers log an error if a WebSocket is closed before it is open.
      if (isClosed) opened.disconnect();
      else greet(opened);
    });
  };
  open().catch(explain);
  return {
    connected,
    close() {
      isClosed = true;
      connected()?.disconnect();
    },
  };
}
