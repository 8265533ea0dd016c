import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { envelopeOf, refusal, type Refusal, type RefusalCode } from '../contract/errors.ts';
import type { HttpHandler } from './http-handler.ts';

/** How much of a body is read that nobody wants: twice the largest upload, and some more. */
export const MAX_READ_BYTES = 72 * 1024 * 1024;

/** What an error of Node's parser means; every other error is a malformed request. */
const PARSER_REFUSALS: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
};

interface PlainAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A refusal's answer: CONTRACT.md's envelope for a path under /api, else its sentence as plain text. */
export function plainAnswer(refused: Refusal, path = ''): PlainAnswer {
  const { status, message, retryAfter } = refused;
  const isCall = path.startsWith('/api/');
  return {
    status,
    headers: {
      'Content-Type': isCall ? 'application/json' : 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    body: isCall ? JSON.stringify(envelopeOf(refused)) : `${message}\n`,
  };
}

/**
 * Answers with a refusal and ends the connection, once a body has been read: most clients look only when they
 * have sent everything, and closing with bytes unread loses the answer.
 */
export function refusePlainly(request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  const { status, headers, body } = plainAnswer(refused, request.url);
  const length = String(Buffer.byteLength(body));
  const answer = () =>
    response
      .writeHead(status, { ...headers, 'Content-Length': length, Connection: 'close' })
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
export function rawAnswer(refused: Refusal, path?: string): string {
  const { status, headers, body } = plainAnswer(refused, path);
  const fields = {
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** The refusal of what Node's parser, or its check for slow requests, reports of a connection. */
export const refusalOf = (error: Error): Refusal =>
  refusal(PARSER_REFUSALS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'REQUEST_MALFORMED');

/** The path in the first line of what could not be parsed, as far as its `rawPacket` goes. */
export function pathIn(error: Error): string | undefined {
  const { rawPacket } = error as Error & { rawPacket?: Buffer };
  return /^[A-Z]+ (\/\S*)/.exec(rawPacket?.toString('latin1', 0, 256) ?? '')?.[1];
}

/** As node:http looks for it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Refuses no or several `Host` with 400 (RFC 9112 §3.2), unknown expectations with 417 (RFC 9110). */
export const refuseMalformed: HttpHandler = (request, response, next) => {
  const { rawHeaders, headers, httpVersion } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return refusePlainly(request, response, refusal('REQUEST_MALFORMED'));
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect) && httpVersion === '1.1')
    return refusePlainly(request, response, refusal('EXPECTATION_UNKNOWN'));
  next();
};
