import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface UnreadBounds {
  /** Bytes that wait to be sent, on all connections together. */
  unreadBytes: number;
  /** Milliseconds that an answer may stay unread; a quarter more may pass before its connection ends. */
  unreadMs: number;
}

const DEFAULTS: UnreadBounds = { unreadBytes: 128 * 1024 * 1024, unreadMs: 20_000 };
/** How many times in a row a connection is found without progress before it ends. */
const CHECKS = 4;
const LOOK_MS = 250;

/** Bytes the system has taken to send, of all that were written. A write counts when all of it is taken. */
const sentOn = (socket: Socket) => socket.bytesWritten - socket.writableLength;

/**
 * Ends connections whose clients do not read: after `unreadMs` without progress, and, when more than
 * `unreadBytes` wait to be sent, those without progress that hold the most. One that waits for us or for a
 * request is bounded by the server's own limits, `headersTimeout`, `requestTimeout` and `keepAliveTimeout`.
 * @param open every connection of `server`
 * @param reset see `createReset`
 */
export function endUnread(
  server: Server,
  open: ReadonlyMap<Socket, unknown>,
  reset: (socket: Socket) => void,
  bounds: Partial<UnreadBounds>,
): void {
  const { unreadBytes, unreadMs } = { ...DEFAULTS, ...bounds };
  const checkMs = unreadMs / CHECKS;
  const stalls = new WeakMap<Socket, { checks: number; sent: number; at: number }>();
  /** Bytes taken of each connection on which some waited, the last time they were summed up. */
  let before = new Map<Socket, number>();

  // Node says so after `socket.timeout` without a byte read or taken, part of a write included.
  server.on('timeout', (socket: Socket) => {
    // Not ours: the connection has waited for another request for `keepAliveTimeout`.
    if (socket.timeout !== checkMs) return void socket.destroy();
    if (socket.writableLength === 0) return;
    const [sent, at] = [sentOn(socket), performance.now()];
    const last = stalls.get(socket);
    // Node was silent once, and more time has passed, when part of a write was taken.
    const isSame = last !== undefined && last.sent === sent && at - last.at < checkMs * 1.5;
    const checks = isSame ? last.checks + 1 : 1;
    if (checks === CHECKS) return reset(socket);
    stalls.set(socket, { checks, sent, at });
    socket.setTimeout(checkMs);
  });

  const look = (): void => {
    const waiting = [...open.keys()].filter((socket) => socket.writableLength > 0);
    let bytes = waiting.reduce((total, socket) => total + socket.writableLength, 0);
    if (bytes > unreadBytes) {
      const isMoving = (socket: Socket) => Number(before.get(socket) !== sentOn(socket));
      waiting.sort(
        (one, other) => isMoving(one) - isMoving(other) || other.writableLength - one.writableLength,
      );
      while (bytes > unreadBytes) {
        const socket = waiting.shift() as Socket;
        bytes -= socket.writableLength;
        reset(socket);
      }
    }
    before = new Map(waiting.map((socket) => [socket, sentOn(socket)]));
    // Only now: a timer for every request would cost kept pages more than all that is done here.
    for (const socket of waiting) if (!socket.timeout) socket.setTimeout(checkMs);
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => (timer = setInterval(look, LOOK_MS).unref()));
  server.on('close', () => clearInterval(timer));
}

/**
 * Resets connections, one a turn of the event loop: Node makes an error with its stack for each request of
 * one, 3 ms for 200. Closed, the system would hold for minutes what it has to send.
 */
export function createReset(): (socket: Socket) => void {
  const sockets = new Set<Socket>();
  const resetNext = (): void => {
    const [socket] = sockets;
    if (!socket) return;
    sockets.delete(socket);
    socket.resetAndDestroy();
    if (sockets.size > 0) setImmediate(resetNext);
  };
  return (socket) => {
    // What it has sent besides is not read.
    socket.pause();
    if (sockets.size === 0) setImmediate(resetNext);
    sockets.add(socket);
  };
}
