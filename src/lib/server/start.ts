import type { Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Backend } from '../blog/backend.ts';
import type { App } from './app.ts';
import { serveMetrics } from './cache/metrics.ts';
import { servePages } from './cache/serve-pages.ts';
import { compress, createHttpServer, listen, pipeline, staticFiles, stopServer, type Step } from './http.ts';
import { attachLive } from './live/live.ts';
import { redactUrl } from './log.ts';
import { installPageEncoder } from './page-encoder.ts';
import { asRequest } from './storage.ts';

type Pages = { render(request: Request, locals: { backend: Backend }, address: string): Promise<Response> };

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
  const { pageCache, renders, backend, services, events, log, config } = app;
  const { trustedHops } = config;
  const renderForVisitor = (path: string) => pages.render(new Request(config.origin + path), { backend }, '');
  // Storage in this process makes nobody wait; what a request takes there is its own work.
  const waits: Step[] = app.db.engine === 'postgres' ? [(_request, _response, next) => asRequest(next)] : [];
  const server = createHttpServer([
    ...waits,
    logRequests(app),
    ...(pageCache
      ? [servePages({ cache: pageCache, render: renderForVisitor, renders, plain: compressed, trustedHops })]
      : []),
    health(app),
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
  ]);
  const live = attachLive(server, {
    ...services,
    events,
    log,
    origins: [config.origin, ...config.corsOrigins],
  });
  await app.startListening();
  const port = await listen(server, config.port, config.host);
  return {
    server,
    port,
    async stop() {
      live.close();
      await stopServer(server);
    },
  };
}

/** Whether a request that came as far as src/fetch.ts makes it render a page. */
const isRender = ({ method, url }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && !/^\/api(?:\/|$)/.test(new URL(url).pathname);

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

function health({ db, isDiskFull }: App): Step {
  return (request, response, next) => {
    if (request.url !== '/healthz') return next();
    const answer = (status: number, text: string) =>
      response
        .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
        .end(text);
    db.ping()
      .then(isDiskFull)
      .then(
        (isFull) => (isFull ? answer(503, 'disk full\n') : answer(200, 'ok\n')),
        () => answer(503, 'storage does not answer\n'),
      );
  };
}
