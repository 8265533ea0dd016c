import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { refusal } from '../contract/errors.ts';
import { watchAddresses, type AddressBounds } from './address-bounds.ts';
import type { HttpHandler } from './http-handler.ts';
import { pathIn, rawAnswer, refusalOf } from './plain-answers.ts';
import { createReset, endUnread, type UnreadBounds } from './unread-answers.ts';

/** A connection a client has opened, live sockets among them. */
interface Connection {
  readonly address: string | undefined;
  readonly openedAt: number;
  /** The answer to the request that came last. */
  latest?: ServerResponse;
  /** How many requests wait for the answers before theirs. */
  waiting: number;
  isRefused?: boolean;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Connections {
  /** Whether the server has begun to stop: it says so to whoever asks for its health. */
  readonly isStopping: boolean;
  /** Refuses requests of an address that has too many open. */
  readonly refuseBeyond: HttpHandler;
  /** Whether the client that asks for a live socket may have it; answers it when not. */
  admitLive(request: IncomingMessage): boolean;
  watch(server: Server): void;
  /** Answers `request` with `answer` once those before it on its connection are answered. */
  inTurn(request: IncomingMessage, response: ServerResponse, answer: Answer): void;
  /** Begins to stop: answers close their connections. Resolves once `ms` passed and no client waits. */
  linger(ms: number): Promise<void>;
  /** Takes no new connection, lets answers under way finish, then ends what is left. */
  stop(server: Server): Promise<void>;
}

/** Requests waiting behind others on all connections, 6 KB each; the few clients that pipeline send tens. */
const MAX_WAITING = 4096;
/** Requests in one packet that make an address's other connections wait for turns of their own: 1 ms. */
const MANY_WAITING = 64;
/** How long a connection that was refused is read on, so that its client reads why. */
const READ_ON_MS = 2_000;
/** How long a stop waits for answers under way. */
const STOP_MS = 20_000;
const IDLE_CHECK_MS = 100;
/** A client that has sent nothing for so long has opened its connection in advance. */
const SILENT_MS = 1_000;
/** How long after its time a stop looks for a moment in which nobody waits to be accepted. */
const LULL_MS = 5_000;

/** Bounds of what connections may hold, and how they end: docs/decisions/0016-http-bounds.md. */
export function createConnections(bounds: AddressBounds & Partial<UnreadBounds>): Connections {
  const open = new Map<Socket, Connection>();
  const addresses = watchAddresses(bounds);
  const reset = createReset();
  /** Connections that are read again in a turn of their own. */
  const held = new Set<Socket>();
  let isStopping = false;
  let accepted = 0;
  let waiting = 0;

  function accept(socket: Socket): void {
    accepted++;
    if (!addresses.accept(socket)) return;
    const connection = { address: socket.remoteAddress, openedAt: performance.now(), waiting: 0 };
    open.set(socket, connection);
    socket.once('close', () => leave(socket));
  }

  /** Reads on `address`'s other connections one a turn, so that their packets do not all come in the same. */
  function hold(address: string | undefined): void {
    for (const [socket, connection] of open) {
      if (connection.address !== address) continue;
      socket.pause();
      if (held.size === 0) setImmediate(readNext);
      held.add(socket);
    }
  }

  function readNext(): void {
    const [socket] = held;
    if (!socket) return;
    held.delete(socket);
    if (open.get(socket)?.waiting === 0) socket.resume();
    if (held.size > 0) setImmediate(readNext);
  }

  function leave(socket: Socket): void {
    waiting -= open.get(socket)?.waiting ?? 0;
    open.delete(socket);
  }

  function start(connection: Connection, request: IncomingMessage, response: ServerResponse, answer: Answer) {
    if (!open.has(request.socket)) return;
    connection.waiting--;
    waiting--;
    if (connection.waiting === 0) request.socket.resume();
    // With more requests behind it, they would be lost.
    if (isStopping && connection.latest === response) response.setHeader('Connection', 'close');
    answer(request, response);
  }

  /** Ends the connection on which the most requests wait. */
  function makeRoom(): void {
    const [longest] = [...open].reduce((one, other) => (other[1].waiting > one[1].waiting ? other : one));
    leave(longest);
    reset(longest);
  }

  /** Tells a client whose bytes are no request why its connection ends. */
  function refuse(error: Error, socket: Socket): void {
    const connection = open.get(socket);
    if (connection?.isRefused) return;
    const { latest } = connection ?? {};
    const current = latest && !latest.closed ? latest : undefined;
    // What has begun cannot be followed by anything else.
    if (!connection || !socket.writable || current?.headersSent) return void socket.destroy();
    connection.isRefused = true;
    socket.end(rawAnswer(refusalOf(error), current?.req.url ?? pathIn(error)));
    setTimeout(() => socket.destroy(), READ_ON_MS).unref();
  }

  return {
    get isStopping() {
      return isStopping;
    },
    refuseBeyond: addresses.refuseBeyond,
    admitLive: addresses.admitLive,
    watch(server) {
      server.on('connection', accept);
      server.on('clientError', (error, socket) => refuse(error, socket as Socket));
      // No proxy: what has no handler at all would be closed without a word.
      server.on('connect', (_request, socket) => socket.end(rawAnswer(refusal('REQUEST_MALFORMED'))));
      endUnread(server, open, reset, bounds);
    },
    inTurn(request, response, answer) {
      const connection = open.get(request.socket);
      // It was ended while its last packet was read.
      if (!connection) return;
      const { latest } = connection;
      connection.latest = response;
      const isFirst = !latest || latest.closed;
      if (isFirst && !isStopping) return answer(request, response);
      connection.waiting++;
      waiting++;
      // A turn of the event loop each, for the other connections, and for what else is in the packet.
      const soon = () => void setImmediate(start, connection, request, response, answer);
      if (isFirst) return soon();
      latest.once('close', soon);
      // Reading stops until they are answered. Not at once: a stream that was just resumed reads on in the
      // next tick.
      if (connection.waiting === 1)
        process.nextTick(() => connection.waiting > 0 && !request.socket.destroyed && request.socket.pause());
      if (connection.waiting === MANY_WAITING) hold(connection.address);
      if (waiting > MAX_WAITING) makeRoom();
    },
    async linger(ms) {
      isStopping = true;
      if (ms === 0) return;
      await sleep(ms);
      const end = performance.now() + LULL_MS;
      // A turn of the event loop accepts all who wait, the next reads what they have sent.
      do {
        accepted = 0;
        await nextTurn();
        await nextTurn();
      } while ((accepted > 0 || held.size > 0) && performance.now() < end);
    },
    async stop(server) {
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Again and again: a connection whose answer has just gone out is idle only from then on.
      const idle = setInterval(() => {
        server.closeIdleConnections();
        for (const [socket, { openedAt }] of open)
          if (socket.bytesRead === 0 && performance.now() - openedAt > SILENT_MS) socket.destroy();
      }, IDLE_CHECK_MS);
      const timer = setTimeout(() => server.closeAllConnections(), STOP_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(timer);
    },
  };
}
