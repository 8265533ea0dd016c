import type { Socket } from 'socket.io-client';

/** Events of CONTRACT.md, "Live socket". */
const UNREAD = 'unread-comment';
const COMMENTS = 'article-comments';
const WATCH = 'watch-article';
const NOTIFIED = 'notification-count';
const WATCH_NOTIFICATIONS = 'watch-notifications';

/**
 * Pauses before reconnecting: random, from 0 to twice this at first, so a restart of the server does not
 * bring all readers back in the same second.
 */
export const RECONNECT = { reconnectionDelay: 10_000, reconnectionDelayMax: 120_000, randomizationFactor: 1 };

export type Live = ReturnType<typeof openLive>;

/**
 * Opens the live socket of a reader; see `openSocket`.
 * @param tidings `comments` is called when the comments of the watched article have changed
 */
export function openLive(
  token: string,
  tidings: {
    unread(count: number): void;
    notified(count: number): void;
    comments(articleId: string): void;
  },
) {
  let watched: string | null = null;
  const listeners = {
    [UNREAD]: (unread: unknown) => typeof unread === 'number' && tidings.unread(unread),
    [NOTIFIED]: (count: unknown) => typeof count === 'number' && tidings.notified(count),
    [COMMENTS]: (articleId: unknown) => typeof articleId === 'string' && tidings.comments(articleId),
  };
  const { connected, close } = openSocket(token, 'live updates', listeners, (socket, isAgain) => {
    socket.emit(WATCH_NOTIFICATIONS);
    if (watched === null) return;
    socket.emit(WATCH, watched);
    if (isAgain) tidings.comments(watched);
  });
  return {
    /** Subscribes to the comments of an article, in place of the previous one. */
    watch(articleId: string): void {
      watched = articleId;
      connected()?.emit(WATCH, articleId);
    },
    isOpen: () => connected() !== null,
    close,
  };
}

/**
 * Opens a live socket, which reconnects when the connection is lost, but not when the server refuses or ends
 * it. A refused connection is only logged. Closing works before the connection is open, too.
 * @param name of the socket in the log
 * @param listeners called with the data of their event
 * @param greet called when the socket is open; `isAgain`: it was open before and may have missed events
 */
export function openSocket(
  token: string,
  name: string,
  listeners: Readonly<Record<string, (data: unknown) => void>>,
  greet: (socket: Socket, isAgain: boolean) => void,
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
    const options = { transports: ['websocket'], forceNew: true, query: { token }, ...RECONNECT };
    const opened = io(origin, options);
    let isAgain = false;
    socket = opened;
    for (const [event, listen] of Object.entries(listeners))
      opened.on(event, (data: unknown) => !isClosed && listen(data));
    opened.on('connect_error', explain);
    opened.on('connect', () => {
      // Browsers log an error if a WebSocket is closed before it is open.
      if (isClosed) opened.disconnect();
      else greet(opened, isAgain);
      isAgain = true;
    });
  };
  open().catch(explain);
  return {
    connected,
    close() {
      isClosed = true;
      socket?.io.reconnection(false);
      connected()?.disconnect();
    },
  };
}
