/** CONTRACT.md, "Live socket". */
const UNREAD = 'unread-comment';

/**
 * Tells `count` the unread comments whenever the server does. Never reconnects: the next page does. A refused
 * connection is only logged. Returns what closes the socket, open or not.
 */
export function openLive(token: string, count: (unread: number) => void): () => void {
  let isClosed = false;
  let close = () => undefined as void;
  const explain = (error: unknown) => console.info('live updates are off:', String(error));
  const open = async () => {
    const { io } = await import('socket.io-client');
    if (isClosed) return;
    // Pages of an edge front say where the socket is; elsewhere it is where the page came from.
    const origin = document.documentElement.dataset['live'] ?? location.origin;
    const socket = io(origin, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token },
    });
    socket.on(UNREAD, (unread: unknown) => {
      if (!isClosed && typeof unread === 'number') count(unread);
    });
    socket.on('connect_error', explain);
    // Browsers complain of a websocket that is closed before it is open.
    socket.on('connect', () => isClosed && socket.disconnect());
    close = () => void (socket.connected && socket.disconnect());
  };
  open().catch(explain);
  return () => {
    isClosed = true;
    close();
  };
}
