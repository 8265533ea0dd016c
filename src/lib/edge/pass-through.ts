import { calls, DEVICE_CALLS, DEVICE_COOKIE } from '../contract/calls/calls.ts';
import { refusal, refusalResponse } from '../contract/rules/errors.ts';
import { FLOW_COOKIE, isMadeFile, isOauthPath, isProtocolPath, plainPath } from '../contract/rules/paths.ts';
import { SESSION_COOKIES } from '../shared/session-cookies.ts';
import { unavailableAnswer } from './origin.ts';

/** Request headers sent to the API. The only cookies among them are those that it reads (`cookiesFor`). */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'mcp-protocol-version',
  'origin',
  'range',
  'user-agent',
  'access-control-request-headers',
  'access-control-request-method',
];
/** Hop-by-hop headers (RFC 9110 §7.6.1), and headers that are set here. */
const NOT_PASSED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'set-cookie',
  'content-encoding',
  'strict-transport-security',
  'x-request-id',
]);

/** Response headers of files. */
const FILE_HEADERS = new Set([
  'accept-ranges',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
  'vary',
]);
/** Pictures that cannot contain script, style sheets, manifests and answers of calls. */
const FILE_TYPES = /^(?:image\/(?!svg)|text\/css\b|application\/(?:manifest\+)?json\b)/;

export interface PassThroughOptions {
  /** Milliseconds until the API must start to respond to a call that changes nothing. */
  readPatience?: number;
  /** The same for other calls: long, because the outcome of an aborted call is unknown. */
  writePatience?: number;
  /** Maximum milliseconds between two chunks of a response. */
  stallPatience?: number;
}

const READS = new Set<string>(
  Object.values(calls)
    .filter(({ kind }) => kind === 'read')
    .map(({ path }) => path),
);

/**
 * Forwards a request under /api, of another protocol (rules/protocols.ts) or for a file of
 * rules/paths.ts to the API at `origin` and streams the response back; UNAVAILABLE if there is no
 * response or it is outside the contract.
 * @param address the client's address, for the API's limits
 */
export async function passThrough(
  origin: string,
  request: Request,
  address: string,
  { readPatience = 4_000, writePatience = 30_000, stallPatience = 10_000 }: PassThroughOptions = {},
): Promise<Response> {
  const { pathname: asked, search } = new URL(request.url);
  const pathname = plainPath(asked);
  const isMade = isMadeFile(pathname);
  const isFile = isMade || pathname.startsWith('/api/file/');
  // A provider answers more slowly than the API, and its answer can be used only once.
  const isRead =
    !isOauthPath(pathname) && (request.method === 'GET' || request.method === 'HEAD' || READS.has(pathname));
  const over = new AbortController();
  const giveUp = () => over.abort(new Error('the API did not answer in time'));
  let timer = setTimeout(giveUp, isRead ? readPatience : writePatience);
  try {
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.body !== null;
    const answer = await fetch(origin + pathname + search, {
      method: request.method,
      headers: requestHeaders(request, pathname, address),
      redirect: 'manual',
      signal: over.signal,
      // Node requires `duplex` for a streamed body, because the response may start before the body has ended.
      ...(hasBody ? { body: request.body, duplex: 'half' } : {}),
    });
    clearTimeout(timer);
    // An API that does not make such files redirects requests for them.
    if (isMade && answer.status >= 301 && answer.status <= 302) {
      await answer.body?.cancel();
      return refusalResponse(refusal('FILE_NOT_FOUND'));
    }
    const type = answer.headers.get('Content-Type') ?? '';
    // Browsers follow these redirects themselves, to an identity provider and back.
    if (isOauthPath(pathname) && answer.headers.has('Location')) {
      await answer.body?.cancel();
      return new Response(null, { status: answer.status, headers: answerHeaders(answer, pathname) });
    }
    // XML-RPC is XML; MCP accepts notifications with 202 and nothing else.
    const isOther = isProtocolPath(pathname) && (type.startsWith('text/xml') || answer.status === 202);
    const isOfCall = /^(?:application\/json|text\/markdown)\b/.test(type);
    const isUsable = isFile && (!answer.ok || FILE_TYPES.test(type));
    const isContracts = isUsable || isOther || answer.body === null || isOfCall;
    if (!isContracts || (answer.status >= 300 && answer.status < 400 && answer.status !== 304)) {
      await answer.body?.cancel();
      return unavailableAnswer();
    }
    timer = setTimeout(giveUp, stallPatience);
    const body = answer.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          clearTimeout(timer);
          timer = setTimeout(giveUp, stallPatience);
          controller.enqueue(part);
        },
        flush: () => clearTimeout(timer),
      }),
    );
    if (!body) clearTimeout(timer);
    const isDownload = isFile && (request.method === 'GET' || request.method === 'HEAD');
    const headers = answerHeaders(answer, pathname, isDownload);
    return new Response(body ?? null, { status: answer.status, headers });
  } catch {
    clearTimeout(timer);
    return unavailableAnswer();
  }
}

function requestHeaders(request: Request, pathname: string, address: string): Headers {
  // The platform compresses for the reader; the forwarded body must match its headers.
  const headers = new Headers({ 'X-Forwarded-For': address, 'Accept-Encoding': 'identity' });
  for (const name of REQUEST_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const read = cookiesFor(pathname);
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const sent = cookies.filter((cookie) => read.includes(nameOf(cookie)));
  if (sent.length > 0) headers.set('cookie', sent.join('; '));
  return headers;
}

/** Cookies that the API reads or sets at an address. */
function cookiesFor(pathname: string): readonly string[] {
  if (isOauthPath(pathname)) return OAUTH_COOKIES;
  return DEVICE_CALLS.includes(pathname) ? [DEVICE_COOKIE] : [];
}

const OAUTH_COOKIES = [DEVICE_COOKIE, FLOW_COOKIE, ...Object.values(SESSION_COOKIES)];

const nameOf = (cookie: string): string => cookie.split('=', 1)[0] ?? '';

function answerHeaders(answer: Response, pathname: string, isDownload = false): Headers {
  const headers = new Headers();
  // A compressed response has been decompressed, so its length has changed.
  const wasPacked = answer.headers.has('Content-Encoding');
  for (const [name, value] of answer.headers) {
    const isPassed = isDownload ? FILE_HEADERS.has(name) : !NOT_PASSED.has(name);
    if (isPassed && !(wasPacked && name === 'content-length')) headers.append(name, value);
  }
  const set = cookiesFor(pathname);
  for (const cookie of answer.headers.getSetCookie())
    if (set.includes(nameOf(cookie))) headers.append('set-cookie', cookie);
  return headers;
}
