import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import compression from 'compression';
import sirv from 'sirv';
import { findablePath } from '../../components/urls.ts';
import { refusal } from '../contract/errors.ts';
import { isMadeFile } from '../contract/made-files.ts';
import { clientAddress } from './address.ts';
import type { Connections } from './connections.ts';
import type { HttpHandler, HttpResponse } from './http-handler.ts';
import { MAX_READ_BYTES, plainAnswer } from './plain-answers.ts';

/** How long a connection is kept for the next request. */
export const KEEP_ALIVE_S = 15;
/** SECURITY.md 15. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: KEEP_ALIVE_S * 1000,
};
const MAX_HEADER_BYTES = 16 * 1024;
const HASHED_ASSETS = '/_assets/';
const DAY_S = 86_400;

interface ServerOptions {
  /** Bounds its connections and ends them. */
  connections: Connections;
  /**
   * Which requests that ask for it become another protocol; the others are answered as if they had not asked.
   */
  upgrades?: (request: IncomingMessage) => boolean;
}

/** A server that hands each request from handler to handler; it does not listen yet. */
export function createHttpServer(
  handlers: readonly HttpHandler[],
  { connections, upgrades = () => false }: ServerOptions,
): Server {
  const options = {
    ...TIMEOUTS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // What has no body needs no stream that ends: a twelfth of a kept page's time.
    optimizeEmptyRequests: true,
    // Answered by `refuseMalformed`, which knows the envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: upgrades,
  };
  const answer: RequestListener = (request, response) => {
    const run = (index: number): void => handlers[index]?.(request, response, () => run(index + 1));
    run(0);
  };
  const inTurn: RequestListener = (request, response) => connections.inTurn(request, response, answer);
  const server = createServer(options, inTurn).on('checkExpectation', inTurn);
  connections.watch(server);
  return server;
}

/**
 * Files of the build, as they are or as the build compressed them. Names with a content hash never change.
 */
export function staticFiles(folder: string): HttpHandler {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders(response, path) {
      const isHashed = path.startsWith(HASHED_ASSETS);
      response.setHeader(
        'Cache-Control',
        isHashed ? 'public, max-age=31536000, immutable' : `public, max-age=${DAY_S}`,
      );
      response.setHeader('X-Content-Type-Options', 'nosniff');
    },
  });
  // Every file has an extension; what has none is spared the look.
  return (request, response, next) => (request.url?.includes('.') ? serve(request, response, next) : next());
}

/** Compresses what the steps after it answer. */
export function compress(): HttpHandler {
  const compressed = compression() as unknown as HttpHandler;
  return (request, response, next) => {
    if (request.headers['accept-encoding'] !== undefined) return compressed(request, response, next);
    // Nothing to choose from; caches must know all the same that there is a choice.
    response.setHeader('Vary', 'Accept-Encoding');
    next();
  };
}

/** The built pages. The last argument is what Astro's `locals` are to be. */
export type AstroHandler = (typeof import('@astrojs/node/server.js'))['handler'];

interface AnswerOptions {
  /** Answers everything but visits to pages (src/lib/requests.ts). */
  calls(request: Request, from: { address: string }): Response | Promise<Response>;
  /** Answers a visit to a page, or leaves it to `next`: no page has this address. */
  page(request: IncomingMessage, response: HttpResponse, next: () => void, address: string): void;
  /**
   * Host that is seen whatever `Host` says (SECURITY.md 4); of a call, request.headers keeps what was sent.
   */
  host: string;
  trustedHops: number;
  failed(error: unknown): void;
}

/** The last handler: visits to pages go to Astro, everything else is answered before it. */
export function answerRequests({ calls, page, host, trustedHops, failed }: AnswerOptions): HttpHandler {
  const answerCall = getRequestListener(
    (request, { incoming }) =>
      calls(request, { address: clientAddress(incoming as IncomingMessage, trustedHops) }),
    {
      autoCleanupIncoming: false,
      errorHandler(error) {
        failed(error);
        const { status, headers, body } = plainAnswer(refusal('FAULT'));
        return new Response(body, { status, headers });
      },
    },
  );
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    // An address of another server, or one that is read as another path than it says.
    if (!path.startsWith('/') || path.includes('\\')) {
      const { status, headers, body } = plainAnswer(refusal('URL_MALFORMED'));
      return void response.writeHead(status, headers).end(body);
    }
    request.headers.host = host;
    readOn(request, response);
    const next = () => void answerCall(request, response);
    if (isVisit(request.method, path)) page(request, response, next, clientAddress(request, trustedHops));
    else next();
  };
}

/** Whether a request is for Astro: a visit to a page, at an address that Astro does not misread. */
function isVisit(method: string | undefined, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { pathname } = new URL(`http://site.invalid${path}`);
  return !/^\/api(?:\/|$)/.test(pathname) && !isMadeFile(pathname) && findablePath(pathname) === pathname;
}

/**
 * Reads on what a client is still sending once it has its answer: most look at an answer only when they have
 * sent everything, and a connection closed before that loses it. The time for a whole request and
 * `MAX_READ_BYTES` bound it.
 */
function readOn(request: IncomingMessage, response: HttpResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    let left = MAX_READ_BYTES;
    // Whoever read the body no longer takes anything and would only hold it back.
    request.removeAllListeners('data');
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    });
    request.resume();
  });
}

/** @returns the port; rejects with the system's error when it cannot be had */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
