import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import compression from 'compression';
import sirv from 'sirv';
import type { Backend } from '../blog/backend.ts';
import type { App } from './app.ts';
import { serveMetrics } from './cache/metrics.ts';
import { KEEP_ALIVE_S, servePages, type Numbered } from './cache/serve-pages.ts';
import { installPageEncoder } from './page-encoder.ts';
import { attachLive } from './live/live.ts';
import { redactUrl } from './log.ts';
import { asRequest } from './storage.ts';

/** SECURITY.md 15. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: KEEP_ALIVE_S * 1000,
};
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_READ_ON_BYTES = 32 * 1024 * 1024;
/** How long a stop waits for answers under way. */
const STOP_MS = 20_000;
const IDLE_CHECK_MS = 100;
const HASHED_ASSETS = '/_assets/';
const DAY_S = 86_400;

type Pages = { render(request: Request, locals: { backend: Backend }, address: string): Promise<Response> };
type Step = (request: IncomingMessage, response: Numbered, next: () => void) => void;

/** The running server: where it listens, and how to stop it without dropping what is under way. */
export interface Running {
  readonly server: Server;
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves the app over HTTP: kept pages, health, static files, then src/fetch.ts through the built pages.
 * @param dist the folder `astro build` wrote
 * @throws the system's error when the port cannot be had
 */
export async function startServer(app: App, dist: string): Promise<Running> {
  installPageEncoder();
  const pages = (await import(pathToFileURL(join(dist, 'server', 'entry.mjs')).href)) as Pages;
  const compressed = compress();
  const { pageCache, backend } = app;
  const renderForVisitor = (path: string) =>
    pages.render(new Request(app.config.origin + path), { backend }, '');
  const steps: Step[] = [
    logRequests(app),
    ...(pageCache ? [servePages(pageCache, renderForVisitor, compressed)] : []),
    health(app),
    serveMetrics(app.config.metrics, pageCache),
    staticFiles(join(dist, 'client')),
    compressed,
    pipeline(app, pages),
  ];
  // Storage in this process makes nobody wait; what a request takes there is its own work.
  const waits = app.db.engine === 'postgres' ? asRequest : (work: () => void) => work();
  const server = createServer({ ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const run = (index: number): void => steps[index]?.(request, response, () => run(index + 1));
    waits(() => run(0));
  });
  const { services, events, log, config } = app;
  const live = attachLive(server, {
    ...services,
    events,
    log,
    origins: [config.origin, ...config.corsOrigins],
  });
  await app.startListening();
  await listen(server, app.config.port, app.config.host);
  return { server, port: (server.address() as AddressInfo).port, stop: () => stop(server, live) };
}

/** One line a request, written when the answer is out or the client has gone. */
function logRequests({ log }: App): Step {
  return (request, response, next) => {
    if (!log.isLevelEnabled('info')) return next();
    response.isLogged = true;
    const started = performance.now();
    response.once('close', () => {
      log.info({
        requestId: response.requestId ?? response.getHeader('x-request-id'),
        method: request.method,
        url: redactUrl(request.url ?? ''),
        status: response.statusCode,
        ms: Math.round((performance.now() - started) * 10) / 10,
        ...(response.writableFinished ? {} : { aborted: true }),
      });
    });
    next();
  };
}

function health({ db }: App): Step {
  return (request, response, next) => {
    if (request.url !== '/healthz') return next();
    const answer = (status: number, text: string) =>
      response
        .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
        .end(text);
    db.ping().then(
      () => answer(200, 'ok\n'),
      () => answer(503, 'storage does not answer\n'),
    );
  };
}

/** Files of the build, as they are or as the build compressed them. Names with a content hash never change. */
function staticFiles(folder: string): Step {
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

function compress(): Step {
  const compressed = compression() as unknown as Step;
  return (request, response, next) => {
    if (request.headers['accept-encoding'] !== undefined) return compressed(request, response, next);
    // Nothing to choose from; caches must know all the same that there is a choice.
    response.setHeader('Vary', 'Accept-Encoding');
    next();
  };
}

function pipeline({ backend, config, log }: App, pages: Pages): Step {
  const site = new URL(config.origin);
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const address = clientAddress(incoming as IncomingMessage, config.trustedHops);
      try {
        const response = await pages.render(request, { backend }, address);
        // For caches that are told what changes; between us and the reader none is.
        for (const name of ['Cache-Tag', 'CDN-Cache-Control']) response.headers.delete(name);
        return response;
      } catch (error) {
        log.error({ err: error }, 'request failed');
        return plainAnswer(500, '服务器出了点问题，请稍后再试', incoming.url);
      }
    },
    {
      autoCleanupIncoming: false,
      // What is thrown outside the callback above is about a request that is no request, such as a backslash in its path.
      errorHandler: () => plainAnswer(400, '网址有误'),
    },
  );
  return (request, response) => {
    if (!request.url?.startsWith('/')) return void response.writeHead(400).end();
    // Pages see the site's own origin whatever Host says (SECURITY.md 4); request.headers.get('host') keeps what was sent.
    request.headers.host = site.host;
    readOn(request, response);
    void listener(request, response);
  };
}

/** An answer for when neither the API nor the pages could give one; under /api it is the envelope all the same. */
function plainAnswer(status: number, sentence: string, url = ''): Response {
  if (url.startsWith('/api/')) return Response.json({ code: 'ERROR', data: sentence }, { status });
  return new Response(`${sentence}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

/**
 * Reads on what a client is still sending once it has its answer: most look at an answer only when they have sent everything, and
 * a connection closed before that loses it. The time for a whole request and `MAX_READ_ON_BYTES` bound it.
 */
function readOn(request: IncomingMessage, response: Numbered): void {
  response.once('finish', () => {
    if (request.complete) return;
    let left = MAX_READ_ON_BYTES;
    // Whoever read the body no longer takes anything and would only hold it back.
    request.removeAllListeners('data');
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    });
    request.resume();
  });
}

/**
 * The address limits are counted by. Each trusted proxy appends the address it saw to X-Forwarded-For, so with `hops` of them
 * the entry that far from the right is the client; what stands left of it is the client's own claim.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const own = request.socket.remoteAddress ?? '';
  if (hops === 0) return own;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const chain = forwarded.map((entry) => entry.trim()).filter((entry) => entry !== '');
  return chain.at(-hops) ?? chain[0] ?? own;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Takes no new connection, lets answers under way finish, then ends what is left. */
async function stop(server: Server, live: { close(): void }): Promise<void> {
  live.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Again and again: a connection whose answer has just gone out is idle only from then on.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
