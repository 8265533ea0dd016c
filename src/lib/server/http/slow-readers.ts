import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { MIB } from '../../contract/rules/units.ts';

export interface SlowReaderBounds {
  unsentBytes: number;
  /** Milliseconds without progress before a connection ends, up to a quarter more. */
  stallMs: number;
}

const DEFAULTS: SlowReaderBounds = { unsentBytes: 128 * MIB, stallMs: 20_000 };
const MAX_CHECKS = 4;
const CHECK_INTERVAL_MS = 250;

/** Returns the bytes that the system has accepted. A write counts when all of it is accepted. */
const sentOn = (socket: Socket) => socket.bytesWritten - socket.writableLength;

/**
 * Ends connections of slow readers: after `stallMs` without progress, and, above `unsentBytes` of unsent
 * data, those without progress that hold the most. Connections waiting for the server or for a request are
 * bounded by `headersTimeout`, `requestTimeout` and `keepAliveTimeout`.
 * @param open every connection of `server`
 * @param reset see `createReset`
 */
export function endSlowReaders(
  server: Server,
  open: ReadonlyMap<Socket, unknown>,
  reset: (socket: Socket) => void,
  bounds: Partial<SlowReaderBounds>,
): void {
  const { unsentBytes, stallMs } = { ...DEFAULTS, ...bounds };
  const checkMs = stallMs / MAX_CHECKS;
  const stalls = new WeakMap<Socket, { checks: number; sent: number; at: number }>();
  let before = new Map<Socket, number>();

  // Node emits this after `socket.timeout` without a byte read or accepted, part of a write included.
  server.on('timeout', (socket: Socket) => {
    // Another timeout: the connection was idle for `keepAliveTimeout`.
    if (socket.timeout !== checkMs) return void socket.destroy();
    if (socket.writableLength === 0) return;
    const [sent, at] = [sentOn(socket), performance.now()];
    const last = stalls.get(socket);
    // When part of a write is accepted, Node skips a timeout, and more time has passed.
    const isSame = last !== undefined && last.sent === sent && at - last.at < checkMs * 1.5;
    const checks = isSame ? last.checks + 1 : 1;
    if (checks === MAX_CHECKS) return reset(socket);
    stalls.set(socket, { checks, sent, at });
    socket.setTimeout(checkMs);
  });

  const look = (): void => {
    const waiting = [...open.keys()].filter((socket) => socket.writableLength > 0);
    let bytes = waiting.reduce((total, socket) => total + socket.writableLength, 0);
    if (bytes > unsentBytes) {
      const isMoving = (socket: Socket) => Number(before.get(socket) !== sentOn(socket));
      waiting.sort(
        (one, other) => isMoving(one) - isMoving(other) || other.writableLength - one.writableLength,
      );
      while (bytes > unsentBytes) {
        const socket = waiting.shift() as Socket;
        bytes -= socket.writableLength;
        reset(socket);
      }
    }
    before = new Map(waiting.map((socket) => [socket, sentOn(socket)]));
    // Set only here: a timer for every request would cost cached pages more than this whole check.
    for (const socket of waiting) if (!socket.timeout) socket.setTimeout(checkMs);
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => (timer = setInterval(look, CHECK_INTERVAL_MS).unref()));
  server.on('close', () => clearInterval(timer));
}

/** Returns a queue of sockets that `work` handles one per turn of the event loop. */
export function onePerTurn(work: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const next = (): void => {
    const [socket] = sockets;
    if (!socket) return;
    sockets.delete(socket);
    work(socket);
    if (sockets.size > 0) setImmediate(next);
  };
  return {
    isEmpty: (): boolean => sockets.size === 0,
    add(socket: Socket): void {
      socket.pause();
      if (sockets.size === 0) setImmediate(next);
      sockets.add(socket);
    },
  };
}

/**
 * Resets connections one per turn of the event loop: Node creates an error with a stack for each pending
 * request, 3 ms for 200. After a plain close, the system would hold the unsent data for minutes.
 */
export const createReset = () => onePerTurn((socket) => socket.resetAndDestroy()).add;
