import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import inject from 'light-my-request';
import { isRefusal } from '../contract/rules/errors.ts';
import { createRequests } from '../requests.ts';
import type { App } from './services.ts';
import { serveMetrics } from './cache/metrics.ts';
import { refusedPage, sendAnswer, type RenderedAnswer } from './cache/renders.ts';
import { maySeeMore, servePages } from './cache/serve-pages.ts';
import { forwardedChain } from './http/address.ts';
import { createConnections } from './http/connections.ts';
import type { DiskFault } from './disk/disk.ts';
import type { HttpHandler, HttpResponse } from './http/http-handler.ts';
import {
  answerRequests,
  compress,
  createHttpServer,
  listen,
  staticFiles,
  type AstroHandler,
} from './http/http.ts';
import { attachLive, isLiveHandshake } from './live/live.ts';
import { watcherCheck } from './http/local-request.ts';
import { createRequestLog } from './http/request-log.ts';
import { createPacing } from './http/pacing.ts';
import { refuseMalformed } from './http/refusal-answers.ts';
import { asRequest, forVisitors } from './storage/storage.ts';

/**
 * Serves the app over HTTP: cached pages, health, static files, API calls, then the built pages.
 * @param dist the output folder of `astro build`
 * @throws the system's error when the port is unavailable
 */
export async function startServer(app: App, dist: string) {
  const { handler } = (await import(
    pathToFileURL(join(dist, 'server', 'entry.mjs')).href
  )) as typeof import('@astrojs/node/server.js');
  const compressed = compress();
  const { pageCache, reads, renders, backend, services, events, log, config } = app;
  const { trustedHops } = config;
  const { host } = new URL(config.origin);
  const render = renderForVisitors(app, handler, host);
  const { fetch: calls } = createRequests(({ env: { address } }) => ({ backend, address }));
  const failed = (error: unknown) => log.error({ err: error }, 'request failed');
  const waits: HttpHandler[] = app.db.isRemote
    ? [
        (_request, response, next) =>
          asRequest((answered) => {
            response.once('finish', answered);
            next();
          }),
      ]
    : [];
  const connections = createConnections({ perAddress: config.connectionsPerAddress, trustedHops });
  const isWatcher = watcherCheck(config);
  const requestLog = createRequestLog({ log, logsClients: config.logsClients, trustedHops });
  const handlers = [
    ...waits,
    requestLog.handler,
    refuseMalformed,
    connections.refuseBeyond,
    reads.handler,
    ...(pageCache ? [servePages({ cache: pageCache, render, renders, plain: compressed, trustedHops })] : []),
    // After the cached pages: sending one takes less time than pacing it.
    createPacing({ trustedHops }),
    health(app, isWatcher, () => connections.isStopping),
    serveMetrics(config.metrics, isWatcher, {
      ...services,
      cache: pageCache,
      notices: app.db.notices,
      replica: app.db.replica,
      room: services.files.room,
      requests: requestLog,
      outbox: services.notices,
      folders: app.folders,
    }),
    staticFiles(join(dist, 'client')),
    compressed,
    answerRequests({ calls, page: renderForReaders(app, handler, failed), host, trustedHops, failed }),
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
    /**
     * Stops without dropping pending requests.
     * @param lingerMs how long it still accepts connections, while `/healthz` answers 503
     */
    async stop(lingerMs = 0): Promise<void> {
      await connections.linger(lingerMs);
      live.close();
      await connections.stop(server);
    },
  };
}

/**
 * Renders pages for the cache with a separate request that has only the path and the site's host. Rejects
 * when Astro has no such page.
 */
function renderForVisitors({ backend }: App, handler: AstroHandler, host: string) {
  return async (path: string): Promise<RenderedAnswer> => {
    let tags: string[] | null = null;
    const locals = { backend, address: '', receiveTags: (named: string[] | null) => void (tags = named) };
    const render = (request: IncomingMessage, response: ServerResponse) =>
      forVisitors(() => void handler(request, response, () => response.destroy(), locals));
    const { statusCode, headers, rawPayload } = await inject(render, { url: path, authority: host });
    const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { status: statusCode, headers: Object.fromEntries(fields), bytes: rawPayload, tags };
  };
}

function renderForReaders(
  { backend, renders }: App,
  handler: AstroHandler,
  failed: (error: unknown) => void,
) {
  return (request: IncomingMessage, response: HttpResponse, next: () => void, address: string): void => {
    const locals = { backend, address };
    const render = async () => handler(request, response, next, locals);
    const rendered = maySeeMore(request) ? render : () => forVisitors(render);
    renders.run(rendered, address).catch((error: unknown) => {
      if (isRefusal(error)) return sendAnswer(refusedPage(error), request, response);
      failed(error);
      response.destroy();
    });
  };
}

const UNHEALTHY: Record<DiskFault, string> = {
  full: 'disk full',
  unwritable: 'storage cannot be written',
};

function health(
  { db, writeFault, services }: App,
  isWatcher: (request: IncomingMessage) => boolean,
  isStopping: () => boolean,
): HttpHandler {
  const state = async (): Promise<[status: number, text: string]> => {
    if (isStopping()) return [503, 'stopping'];
    try {
      await db.ping();
    } catch {
      return [503, 'storage does not answer'];
    }
    const fault = await writeFault();
    return fault ? [503, UNHEALTHY[fault]] : [200, 'ok'];
  };
  const backup = async () => {
    const { time, bytes, error } = await services.backups.last();
    const age = time === null ? null : Math.round((Date.now() - time) / 1000);
    return { backup: { age, bytes, error } };
  };
  const replica = async () => (db.replica ? { replica: await db.replica.lag() } : {});
  return (request, response, next) => {
    const isVerbose = request.url === '/healthz?verbose';
    if (request.url !== '/healthz' && !isVerbose) return next();
    const answer = async (): Promise<void> => {
      const [status, text] = await state();
      const isTold = isVerbose && isWatcher(request);
      const parts = isTold && status === 200 ? { ...(await backup()), ...(await replica()) } : {};
      const more = { ...parts, proxies: forwardedChain(request).length };
      const body = isTold ? JSON.stringify({ status: text, ...more }) : text;
      const type = isTold ? 'application/json' : 'text/plain; charset=utf-8';
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(`${body}\n`);
    };
    answer().catch(() => response.writeHead(503).end());
  };
}
