import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cachedHeaders, isForAll } from '../../shared/pages/cached-renders.ts';
import { asksPlainLook, keyOf } from '../../shared/pages/page-key.ts';
import { isRefusal } from '../../contract/rules/errors.ts';
import { clientAddress } from '../http/address.ts';
import type { HttpHandler, HttpResponse } from '../http/http-handler.ts';
import { KEEP_ALIVE_S } from '../http/http.ts';
import { chooseEncoding } from './choose-encoding.ts';
import { encode, keepWire, onWire, toCachedPage, type Body, type CachedPage } from './cached-page.ts';
import type { PageCache, Rendering } from './page-cache.ts';
import { refusedPage, sendAnswer, type RenderedAnswer, type Renders } from './renders.ts';
import { choosePreparedSender, type SendPrepared } from './prepared-response.ts';
import { refreshPages } from './refresh-pages.ts';

interface Options {
  cache: PageCache<RenderedAnswer>;
  /** Renders the page at a path and query for a visitor without any request headers. */
  render(path: string): Promise<RenderedAnswer>;
  renders: Renders;
  plain: HttpHandler;
  trustedHops: number;
  sendPrepared?: SendPrepared;
}

/**
 * Serves cached pages before the rest of the pipeline runs. Renders them for a visitor without cookies,
 * headers or parameters beyond those in the key, so no data of a request can enter the cache (SECURITY.md 4).
 * Hits need no turn; a render counts against the client that asks first.
 */
export function servePages({
  cache,
  render,
  renders,
  plain,
  trustedHops,
  sendPrepared = choosePreparedSender(),
}: Options): HttpHandler {
  const send = sender(cache, sendPrepared);
  const rendering = async (key: string) => toRendering(await render(key));
  // Calls of the API are cached under other keys.
  refreshPages(cache, (key) => (keyOf(key) === key ? () => renders.refresh(() => rendering(key)) : null));
  const answer = async (key: string, request: IncomingMessage, response: HttpResponse, next: () => void) => {
    const address = clientAddress(request, trustedHops);
    let result: Rendering<RenderedAnswer> | undefined;
    try {
      result = await cache.load(key, () => renders.run(() => rendering(key), address));
    } catch (error) {
      if (isRefusal(error)) return sendAnswer(refusedPage(error), request, response);
    }
    // When storage is unreachable, serves the stale page.
    const page = result?.cached ?? (!result || result.isFault ? cache.getStale(key) : undefined);
    if (page) return send(key, page, request, response);
    // Signed-in users may see content hidden from visitors; and the pipeline handles faults itself.
    if (!result || result.cached || maySeeMore(request)) return next();
    return plain(request, response, () => sendAnswer(result.answer, request, response));
  };
  return (request, response, next) => {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return next();
    // A URL without a query is nearly always its own key; parsing it costs more than finding the page.
    let page = cache.get(url);
    if (page) return send(url, page, request, response);
    const key = keyOf(url);
    if (key === null || (asksPlainLook(url) && maySeeMore(request))) return next();
    page = key === url ? undefined : cache.get(key);
    if (page) return send(key, page, request, response);
    void answer(key, request, response, next);
  };
}

/** Returns whether the response may be for a signed-in user instead of visitors. */
export const maySeeMore = ({ headers: { cookie } }: IncomingMessage) =>
  cookie !== undefined && /(?:^|;\s*)(?:token|refreshToken)=/.test(cookie);

/** @param all headers, names in lower case */
function toRendering({ status, headers: all, bytes, tags }: RenderedAnswer): Rendering<RenderedAnswer> {
  const headers = cachedHeaders(Object.entries(all));
  if (tags && isForAll(status, headers)) return { cached: toCachedPage(bytes, headers, tags) };
  const answer = { status, headers: Object.fromEntries(headers), bytes };
  return { cached: null, answer, isFault: status >= 500 };
}

function sender(cache: PageCache<RenderedAnswer>, sendPrepared: SendPrepared) {
  return (key: string, page: CachedPage, request: IncomingMessage, response: HttpResponse): void => {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const body = page.bodies[encoding];
    if (body) return sendBody(body, request, response, sendPrepared);
    encode(page, encoding).then(
      (made) => {
        cache.resize(key, page);
        sendBody(made, request, response, sendPrepared);
      },
      () => {
        // Not enough memory to compress: send the uncompressed page if it is still there.
        if (page.bodies.identity) sendBody(page.bodies.identity, request, response, sendPrepared);
        else response.destroy();
      },
    );
  };
}

function sendBody(
  body: Body,
  request: IncomingMessage,
  response: HttpResponse,
  sendPrepared: SendPrepared,
): void {
  const { headers, method } = request;
  const requestId = (response.requestId = randomUUID());
  const own = ['X-Request-Id', requestId];
  if (isKnown(headers, body)) {
    response.writeHead(304, [...own, ...body.notModified]).end();
    return;
  }
  if (method === 'GET') {
    const sent = sendPrepared(request, response, () => onWire(body, requestId, KEEP_ALIVE_S));
    if (sent === 'part') keepWire(body);
    if (sent) return;
  }
  response.writeHead(200, [...own, ...body.fields]).end(method === 'HEAD' ? undefined : body.bytes);
}

/** Returns whether the client's version is current; ETag takes precedence over time (RFC 9110 §13.1.3). */
function isKnown(headers: IncomingMessage['headers'], { etag, modifiedAt }: Body): boolean {
  const since = headers['if-modified-since'];
  if (headers['if-none-match'] !== undefined) return isNamed(headers['if-none-match'], etag);
  return since !== undefined && modifiedAt !== null && modifiedAt <= Date.parse(since);
}

/** Returns whether `If-None-Match` matches `etag`, by weak comparison (RFC 9110 §13.1.2). */
function isNamed(condition: string, etag: string): boolean {
  if (condition.trim() === '*') return true;
  return condition.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
