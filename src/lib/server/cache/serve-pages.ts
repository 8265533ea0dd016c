import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { keyOf } from '../../blog/page-key.ts';
import { isRefusal } from '../../contract/errors.ts';
import { clientAddress } from '../address.ts';
import type { HttpHandler, HttpResponse } from '../http-handler.ts';
import { KEEP_ALIVE_S } from '../http.ts';
import { chooseEncoding } from './choose-encoding.ts';
import { encode, keepPage, restOnWire, type Body, type KeptPage } from './kept-page.ts';
import { loadFor } from './load-for.ts';
import type { PageCache, Rendering } from './page-cache.ts';
import { refusedPage, sendAnswer, type PlainAnswer, type Renders } from './renders.ts';
import { wholeAnswers, type SendWhole } from './whole-answer.ts';

interface Options {
  cache: PageCache<PlainAnswer>;
  /** The page at a path and query, for a visitor of whom nothing is known. */
  render(path: string): Promise<PlainAnswer>;
  /** Gives the pages their turns. */
  renders: Renders;
  /** How an answer that is not kept goes out: it may compress it. */
  plain: HttpHandler;
  /** How many X-Forwarded-* hops to believe. */
  trustedHops: number;
  /** Sends answers that are ready; what this Node can do unless given. */
  sendWhole?: SendWhole;
}

/**
 * Answers with kept pages, before anything else of the pipeline runs. What is to be kept is rendered for a
 * visitor without cookies, headers or other parameters than those of the key, so nothing of any request can
 * come into it (SECURITY.md 4). What is kept is sent to anybody at once; what is rendered is on account of
 * whoever asked first.
 */
export function servePages({
  cache,
  render,
  renders,
  plain,
  trustedHops,
  sendWhole = wholeAnswers(),
}: Options): HttpHandler {
  const send = sender(cache, sendWhole);
  const load = (key: string, address: string): Promise<Rendering<PlainAnswer>> =>
    loadFor(cache, key, () => renders.run(async () => toRendering(await render(key)), address));
  const answer = async (key: string, request: IncomingMessage, response: HttpResponse, next: () => void) => {
    let result: Rendering<PlainAnswer> | undefined;
    try {
      result = await load(key, clientAddress(request, trustedHops));
    } catch (error) {
      if (isRefusal(error)) return sendAnswer(refusedPage(error), request, response);
    }
    // What cannot be made anew is sent as it was: storage does not answer.
    const page = result?.kept ?? (!result || result.isFault ? cache.spare(key) : undefined);
    if (page) return send(key, page, request, response);
    // Whoever is signed in may see what visitors do not; and the pipeline has its own way with faults.
    if (!result || result.kept || maySeeMore(request)) return next();
    return plain(request, response, () => sendAnswer(result.answer, request, response));
  };
  return (request, response, next) => {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return next();
    // An address without a query is nearly always its own key; taking it apart costs more than finding the
    // page.
    let page = cache.get(url);
    if (page) return send(url, page, request, response);
    const key = keyOf(url);
    if (key === null) return next();
    page = key === url ? undefined : cache.get(key);
    if (page) return send(key, page, request, response);
    void answer(key, request, response, next);
  };
}

const maySeeMore = ({ headers: { cookie } }: IncomingMessage) =>
  cookie !== undefined && /(?:^|;\s*)(?:token|refreshToken)=/.test(cookie);

/** Headers of the connection, those that are the server's own business, and those made for each answer. */
const NOT_KEPT = new Set([
  'cache-tag',
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-request-id',
]);

/** What to do with an answer whose headers' names are in lower case. */
function toRendering({ status, headers: all, bytes }: PlainAnswer): Rendering<PlainAnswer> {
  const { 'cache-tag': tags, 'cache-control': caching = '', 'set-cookie': cookie } = all;
  const headers = Object.entries(all).filter(([name]) => !NOT_KEPT.has(name));
  const isPublic = status === 200 && !/private|no-store/.test(caching) && cookie === undefined;
  if (tags !== undefined && isPublic) return { kept: keepPage(bytes, headers, tags.split(',')) };
  const answer = { status, headers: Object.fromEntries(headers), bytes };
  return { kept: null, answer, isFault: status >= 500 };
}

/** Sends kept pages in the encoding each client likes best. */
function sender(cache: PageCache<PlainAnswer>, sendWhole: SendWhole) {
  return (key: string, page: KeptPage, request: IncomingMessage, response: HttpResponse): void => {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const body = page.bodies[encoding];
    if (body) return sendBody(body, request, response, sendWhole);
    encode(page, encoding).then(
      (made) => {
        cache.resize(key, page);
        sendBody(made, request, response, sendWhole);
      },
      () => {
        // Without memory to compress: the page as it is, where it is there.
        if (page.bodies.identity) sendBody(page.bodies.identity, request, response, sendWhole);
        else response.destroy();
      },
    );
  };
}

function sendBody(body: Body, request: IncomingMessage, response: HttpResponse, sendWhole: SendWhole): void {
  const { headers, method } = request;
  const requestId = (response.requestId = randomUUID());
  const own = ['X-Request-Id', requestId];
  if (isKnown(headers, body)) {
    response.writeHead(304, [...own, ...body.notModified]).end();
    return;
  }
  if (method === 'GET') {
    const start = `HTTP/1.1 200 OK\r\nX-Request-Id: ${requestId}\r\n`;
    if (sendWhole(request, response, [start, restOnWire(body, KEEP_ALIVE_S)])) return;
  }
  response.writeHead(200, [...own, ...body.fields]).end(method === 'HEAD' ? undefined : body.bytes);
}

/** Whether the client has what it asks for; a name it gives counts more than a time (RFC 9110 §13.1.3). */
function isKnown(headers: IncomingMessage['headers'], { etag, modifiedAt }: Body): boolean {
  const since = headers['if-modified-since'];
  if (headers['if-none-match'] !== undefined) return isNamed(headers['if-none-match'], etag);
  return since !== undefined && modifiedAt !== null && modifiedAt <= Date.parse(since);
}

/** Whether `If-None-Match` names `etag`, by weak comparison (RFC 9110 §13.1.2). */
function isNamed(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  if (condition.trim() === '*') return true;
  return condition.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
