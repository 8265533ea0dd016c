import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import compression from 'compression';
import sirv from 'sirv';
import { isApiRequest, isMadeFile, isProtocolPath } from '../../contract/rules/paths.ts';
import { findablePath } from '../../shared/urls.ts';
import { refusal } from '../../contract/rules/errors.ts';
import { clientAddress } from './address.ts';
import type { Connections } from './connections.ts';
import type { HttpHandler, HttpResponse } from './http-handler.ts';
import { discardBody, hasLongHeaders, refusalAnswer } from './refusal-answers.ts';
import { DAY_S, KIB } from '../../contract/rules/units.ts';

export const KEEP_ALIVE_S = 15;
/** SECURITY.md 15. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: KEEP_ALIVE_S * 1000,
};
/** More than `hasLongHeaders` allows: only a parsed request has a path, by which a refusal takes its form. */
const MAX_PARSED_HEADER_BYTES = 64 * KIB;
const HASHED_ASSETS = '/_assets/';

interface ServerOptions {
  connections: Connections;
  /** Returns whether a request may switch protocols; others are answered as if they had not asked. */
  upgrades?: (request: IncomingMessage) => boolean;
}

export function createHttpServer(
  handlers: readonly HttpHandler[],
  { connections, upgrades = () => false }: ServerOptions,
): Server {
  const options = {
    ...TIMEOUTS,
    maxHeaderSize: MAX_PARSED_HEADER_BYTES,
    // Skips the body stream of requests without a body: a twelfth of the time of a cached page.
    optimizeEmptyRequests: true,
    // `refuseMalformed` responds instead, with the envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: (request: IncomingMessage) => upgrades(request) && !hasLongHeaders(request),
  };
  const answer: RequestListener = (request, response) => {
    let at = 0;
    const next = (): void => handlers[at++]?.(request, response, next);
    next();
  };
  const inTurn: RequestListener = (request, response) => connections.inTurn(request, response, answer);
  const server = createServer(options, inTurn).on('checkExpectation', inTurn);
  connections.watch(server);
  return server;
}

/** Serves the files of the build, also precompressed. Names with a content hash never change. */
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
  // Every file has an extension; other paths skip the lookup.
  return (request, response, next) => (request.url?.includes('.') ? serve(request, response, next) : next());
}

export function compress(): HttpHandler {
  // The sheet of a look has about 1 KB, and half of that compressed.
  const compressed = compression({ threshold: 512 }) as unknown as HttpHandler;
  return (request, response, next) => {
    if (request.headers['accept-encoding'] !== undefined) return compressed(request, response, next);
    // Caches must know that the response depends on it.
    response.setHeader('Vary', 'Accept-Encoding');
    next();
  };
}

/** The built pages. The last argument becomes Astro's `locals`. */
export type AstroHandler = (typeof import('@astrojs/node/server.js'))['handler'];

interface AnswerOptions {
  calls(request: Request, from: { address: string }): Response | Promise<Response>;
  page(request: IncomingMessage, response: HttpResponse, next: () => void, address: string): void;
  /** Host that replaces the `Host` header (SECURITY.md 4); request.headers of API calls keep the original. */
  host: string;
  trustedHops: number;
  failed(error: unknown): void;
}

export function answerRequests({ calls, page, host, trustedHops, failed }: AnswerOptions): HttpHandler {
  const answerCall = getRequestListener(
    (request, { incoming }) =>
      calls(request, { address: clientAddress(incoming as IncomingMessage, trustedHops) }),
    {
      autoCleanupIncoming: false,
      errorHandler(error) {
        failed(error);
        const { status, headers, body } = refusalAnswer(refusal('FAULT'));
        return new Response(body, { status, headers });
      },
    },
  );
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    // An absolute URL, or a path that URL parsers read differently.
    if (!path.startsWith('/') || path.includes('\\')) {
      const { status, headers, body } = refusalAnswer(refusal('URL_MALFORMED'));
      return void response.writeHead(status, headers).end(body);
    }
    request.headers.host = host;
    readOn(request, response);
    const next = () => void answerCall(request, response);
    if (isVisit(request.method, path)) page(request, response, next, clientAddress(request, trustedHops));
    else next();
  };
}

function isVisit(method: string | undefined, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { pathname } = new URL(`http://site.invalid${path}`);
  if (isApiRequest(method, pathname) || isMadeFile(pathname) || isProtocolPath(pathname)) return false;
  return findablePath(pathname) === pathname;
}

/**
 * Keeps reading after the response: most clients read it only after sending everything, and closing the
 * connection earlier would lose it. Limited by the time for a whole request and by `discardBody`.
 */
function readOn(request: IncomingMessage, response: HttpResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    // The reader of the body no longer consumes it and would block the stream.
    request.removeAllListeners('data');
    discardBody(request);
    request.resume();
  });
}

/** @returns the port; rejects with the system's error if listening fails */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
