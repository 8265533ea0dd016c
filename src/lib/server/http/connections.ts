import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { refusal, type Refusal } from '../../contract/rules/errors.ts';
import { watchAddresses, type AddressBounds } from './address-bounds.ts';
import { hasLongHeaders, pathIn, rawAnswer, refusalOf } from './refusal-answers.ts';
import { createReset, endSlowReaders, onePerTurn, type SlowReaderBounds } from './slow-readers.ts';

interface Connection {
  readonly address: string | undefined;
  readonly openedAt: number;
  latest?: ServerResponse;
  waiting: number;
  isRefused?: boolean;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export type Connections = ReturnType<typeof createConnections>;

/** Maximum queued requests of all connections, 6 KB each; the few clients that pipeline send tens. */
const MAX_QUEUED_REQUESTS = 4096;
/** Number of requests in one packet above which the address's other connections get separate turns: 1 ms. */
const MANY_QUEUED_REQUESTS = 64;
/** How long a refused connection is read, so its client receives the reason. */
const REFUSED_READ_MS = 2_000;
const STOP_TIMEOUT_MS = 20_000;
const IDLE_CHECK_INTERVAL_MS = 100;
/** A connection silent for this long was opened in advance by its client. */
const MAX_SILENCE_MS = 1_000;
const ACCEPT_TIMEOUT_MS = 5_000;

/** Limits the resources of connections and closes them: docs/decisions/0016-connection-limits.md. */
export function createConnections(bounds: AddressBounds & Partial<SlowReaderBounds>) {
  const open = new Map<Socket, Connection>();
  const addresses = watchAddresses(bounds);
  const reset = createReset();
  const held = onePerTurn((socket) => {
    if (open.get(socket)?.waiting === 0) socket.resume();
  });
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

  /** Resumes the other connections of `address` one per turn, so their packets arrive in separate turns. */
  function hold(address: string | undefined): void {
    for (const [socket, connection] of open) if (connection.address === address) held.add(socket);
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
    // Closing earlier would lose requests that are queued behind this one.
    if (isStopping && connection.latest === response) response.setHeader('Connection', 'close');
    answer(request, response);
  }

  function makeRoom(): void {
    const [longest] = [...open].reduce((one, other) => (other[1].waiting > one[1].waiting ? other : one));
    leave(longest);
    reset(longest);
  }

  /** @param path of the refused request, if it is known */
  function refuse(refused: Refusal, socket: Socket, path: string | undefined): void {
    const connection = open.get(socket);
    if (connection?.isRefused) return;
    const { latest } = connection ?? {};
    const current = latest && !latest.closed ? latest : undefined;
    // A response that has started cannot be followed by another.
    if (!connection || !socket.writable || current?.headersSent) return void socket.destroy();
    connection.isRefused = true;
    socket.end(rawAnswer(refused, current?.req.url ?? path));
    setTimeout(() => socket.destroy(), REFUSED_READ_MS).unref();
  }

  return {
    get isStopping(): boolean {
      return isStopping;
    },
    refuseBeyond: addresses.refuseBeyond,
    admitLive: addresses.admitLive,
    watch(server: Server): void {
      server.on('connection', accept);
      server.on('clientError', (error, socket) => refuse(refusalOf(error), socket as Socket, pathIn(error)));
      // Rejects CONNECT: without a handler, Node closes the connection without a response.
      server.on('connect', (_request, socket) => socket.end(rawAnswer(refusal('REQUEST_MALFORMED'))));
      endSlowReaders(server, open, reset, bounds);
    },
    inTurn(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
      const connection = open.get(request.socket);
      if (!connection || connection.isRefused) return void request.resume();
      if (hasLongHeaders(request)) {
        request.resume();
        return refuse(refusal('HEADERS_TOO_LARGE'), request.socket, request.url);
      }
      const { latest } = connection;
      connection.latest = response;
      const isFirst = !latest || latest.closed;
      if (isFirst && !isStopping) return answer(request, response);
      connection.waiting++;
      waiting++;
      // Each request gets a turn of the event loop, so other connections and the packet's rest are read too.
      const soon = () => void setImmediate(start, connection, request, response, answer);
      if (isFirst) return soon();
      latest.once('close', soon);
      // Stops reading until they are answered. Deferred, because a stream that was just resumed reads on in
      // the next tick.
      if (connection.waiting === 1)
        process.nextTick(() => connection.waiting > 0 && !request.socket.destroyed && request.socket.pause());
      if (connection.waiting === MANY_QUEUED_REQUESTS) hold(connection.address);
      if (waiting > MAX_QUEUED_REQUESTS) makeRoom();
    },
    /** Starts to stop: responses close their connections. Resolves after `ms`, once no client is waiting. */
    async linger(ms: number): Promise<void> {
      isStopping = true;
      if (ms === 0) return;
      await sleep(ms);
      const end = performance.now() + ACCEPT_TIMEOUT_MS;
      // One turn accepts all waiting connections, the next reads what they sent.
      do {
        accepted = 0;
        await nextTurn();
        await nextTurn();
      } while ((accepted > 0 || !held.isEmpty()) && performance.now() < end);
    },
    async stop(server: Server): Promise<void> {
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Repeats: a connection becomes idle only after its response is sent.
      const idle = setInterval(() => {
        server.closeIdleConnections();
        for (const [socket, { openedAt }] of open)
          if (socket.bytesRead === 0 && performance.now() - openedAt > MAX_SILENCE_MS) socket.destroy();
      }, IDLE_CHECK_INTERVAL_MS);
      const timer = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(timer);
    },
  };
}
