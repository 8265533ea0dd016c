import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { HttpHandler } from './http-handler.ts';

/** How much of a body is read that nobody wants: twice the largest upload, and some more. */
export const MAX_READ_BYTES = 72 * 1024 * 1024;

/** What a client can do about a status that is answered before any call or page is reached. */
const SENTENCES: Record<number, string> = {
  400: '请求格式有误',
  408: '请求发送得太慢，请重试',
  413: '提交的内容过大',
  417: '不支持请求中的 Expect',
  429: '同时打开的连接过多，请稍后再试',
  431: '请求头过大',
};

/** Status by the code that Node's parser gives an error; every other error is 400. */
const STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface PlainAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** An answer of one sentence: the envelope of CONTRACT.md for a path under /api, plain text for every other and for none. */
export function plainAnswer(status: number, path = '', sentence = SENTENCES[status] ?? ''): PlainAnswer {
  const isCall = path.startsWith('/api/');
  return {
    status,
    headers: {
      'Content-Type': isCall ? 'application/json' : 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    body: isCall ? JSON.stringify({ code: 'ERROR', data: sentence }) : `${sentence}\n`,
  };
}

/**
 * Answers with the sentence of `status` and ends the connection. A body that is still arriving is read first: most clients look at an
 * answer only when they have sent everything, and a connection that is closed with bytes unread loses its answer.
 */
export function refusePlainly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  more: Record<string, string> = {},
): void {
  const { headers, body } = plainAnswer(status, request.url);
  const length = String(Buffer.byteLength(body));
  const answer = () =>
    response
      .writeHead(status, { ...headers, ...more, 'Content-Length': length, Connection: 'close' })
      .end(request.method === 'HEAD' ? undefined : body);
  const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers;
  if (!hasBody || request.headers.expect !== undefined) return void answer();
  let left = MAX_READ_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.once('end', answer);
}

/** The bytes of such an answer, for a connection on which nothing but this can be said any more. */
export function rawAnswer(status: number, path?: string, more: Record<string, string> = {}): string {
  const { headers, body } = plainAnswer(status, path);
  const fields = {
    ...headers,
    ...more,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Status for what Node's parser, or its check for slow requests, reports of a connection. */
export const statusOf = (error: Error): number =>
  STATUSES[(error as NodeJS.ErrnoException).code ?? ''] ?? 400;

/** The path in the first line of what could not be parsed, as far as the packet (`rawPacket` of the error) holds it. */
export function pathIn(error: Error): string | undefined {
  const { rawPacket } = error as Error & { rawPacket?: Buffer };
  return /^[A-Z]+ (\/\S*)/.exec(rawPacket?.toString('latin1', 0, 256) ?? '')?.[1];
}

/** As node:http looks for it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Refuses what RFC 9112 §3.2 wants refused, no `Host` in HTTP/1.1 or more than one, with 400, and an expectation other than
 * `100-continue` with 417 (RFC 9110 §10.1.1).
 */
export const refuseMalformed: HttpHandler = (request, response, next) => {
  const { rawHeaders, headers, httpVersion } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return refusePlainly(request, response, 400);
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect) && httpVersion === '1.1')
    return refusePlainly(request, response, 417);
  next();
};
