import type { Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Backend } from '../blog/backend.ts';
import type { App } from './services.ts';
import { serveMetrics } from './cache/metrics.ts';
import { servePages } from './cache/serve-pages.ts';
import { createConnections } from './connections.ts';
import type { HttpHandler } from './http-handler.ts';
import { compress, createHttpServer, listen, pipeline, staticFiles } from './http.ts';
import { attachLive, isLiveHandshake } from './live/live.ts';
import { redactUrl } from './log.ts';
import { refuseMalformed } from './plain-answers.ts';
import { asRequest } from './storage.ts';

type Pages = { render(request: Request, locals: { backend: Backend }, address: string): Promise<Response> };

/** The running server: where it listens, and how to stop it without dropping what is under way. */
export interface Running {
  readonly server: Server;
  readonly port: number;
  /** @param lingerMs how long it still takes connections, while `/healthz` answers 503; 0 unless given */
  stop(lingerMs?: number): Promise<void>;
}

/**
 * Serves the app over HTTP: kept pages, health, static files, then src/fetch.ts through the built pages.
 * @param dist the folder `astro build` wrote
 * @throws the system's error when the port cannot be had
 */
export async function startServer(app: App, dist: string): Promise<Running> {
  const pages = (await import(pathToFileURL(join(dist, 'server', 'entry.mjs')).href)) as Pages;
  const compressed = compress();
  const { pageCache, renders, backend, services, events, log, config } = app;
  const { trustedHops } = config;
  const renderForVisitor = (path: string) => pages.render(new Request(config.origin + path), { backend }, '');
  // Storage in this process makes nobody wait; what a request takes there is its own work.
  const waits: HttpHandler[] =
    app.db.engine === 'postgres' ? [(_request, _response, next) => asRequest(next)] : [];
  const connections = createConnections({ perAddress: config.connectionsPerAddress, trustedHops });
  const handlers = [
    ...waits,
    logRequests(app),
    refuseMalformed,
    connections.refuseBeyond,
    ...(pageCache
      ? [servePages({ cache: pageCache, render: renderForVisitor, renders, plain: compressed, trustedHops })]
      : []),
    health(app, () => connections.isStopping),
    serveMetrics(config.metrics, pageCache, app.db.notices),
    staticFiles(join(dist, 'client')),
    compressed,
    pipeline({
      render: (request, address) => {
        const render = () => pages.render(request, { backend }, address);
        return isRender(request) ? renders.answer(render, address) : render();
      },
      host: new URL(config.origin).host,
      trustedHops,
      failed: (error) => log.error({ err: error }, 'request failed'),
    }),
  ];
  const server = createHttpServer(handlers, { connections, upgrades: isLiveHandshake });
  const live = attachLive(server, {
    ...services,
    events,
    log,
    origins: [config.origin, ...config.corsOrigins],
    mayConnect: connections.admitLive,
  });
  await app.startListening();
  const port = await listen(server, config.port, config.host);
  return {
    server,
    port,
    async stop(lingerMs = 0) {
      await connections.linger(lingerMs);
      live.close();
      await connections.stop(server);
    },
  };
}

/** Whether a request that came as far as src/fetch.ts makes it render a page. */
const isRender = ({ method, url }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && !/^\/api(?:\/|$)/.test(new URL(url).pathname);

/** One line a request, written when the answer is out or the client has gone. */
function logRequests({ log }: App): HttpHandler {
  return (request, response, next) => {
    if (!log.isLevelEnabled('info')) return next();
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

function health({ db, isDiskFull }: App, isStopping: () => boolean): HttpHandler {
  return (request, response, next) => {
    if (request.url !== '/healthz') return next();
    const answer = (status: number, text: string) =>
      response
        .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
        .end(text);
    if (isStopping()) return void answer(503, 'stopping\n');
    db.ping()
      .then(isDiskFull)
      .then(
        (isFull) => (isFull ? answer(503, 'disk full\n') : answer(200, 'ok\n')),
        () => answer(503, 'storage does not answer\n'),
      );
  };
}
