import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { envelopeOf, refusal, type Refusal, type RefusalCode } from '../../contract/rules/errors.ts';
import { XML_RPC_PATHS } from '../../contract/rules/paths.ts';
import { faultOf, XML_TYPE } from './xml-rpc-answer.ts';
import type { HttpHandler } from './http-handler.ts';
import { KIB, MIB } from '../../contract/rules/units.ts';

/** Maximum bytes read of an unwanted body: a little over twice the largest upload. */
const MAX_READ_BYTES = 72 * MIB;

/** Maximum characters of a request's URL and headers. */
const MAX_HEADER_CHARACTERS = 16 * KIB;

const PARSER_REFUSALS: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
};

interface RefusalAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns the response of a refusal: CONTRACT.md's envelope under /api, a fault with status 200 for XML-RPC,
 * its text as plain text elsewhere.
 */
export function refusalAnswer(refused: Refusal, path = ''): RefusalAnswer {
  const { retryAfter } = refused;
  const { status, type, body } = formOf(refused, path.split('?', 1)[0] ?? '');
  return {
    status,
    headers: {
      'Content-Type': type,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    body,
  };
}

function formOf(refused: Refusal, path: string): { status: number; type: string; body: string } {
  const { status, message } = refused;
  if (XML_RPC_PATHS.some((known) => known === path))
    return { status: 200, type: XML_TYPE, body: faultOf(refused) };
  if (path.startsWith('/api/'))
    return { status, type: 'application/json', body: JSON.stringify(envelopeOf(refused)) };
  return { status, type: 'text/plain; charset=utf-8', body: `${message}\n` };
}

/**
 * Responds with a refusal and closes the connection after reading the body: most clients read the response
 * only after sending everything, and closing with unread bytes loses it.
 */
export function refusePlainly(request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  const { status, headers, body } = refusalAnswer(refused, request.url);
  const length = String(Buffer.byteLength(body));
  const answer = () =>
    response
      .writeHead(status, { ...headers, 'Content-Length': length, Connection: 'close' })
      .end(request.method === 'HEAD' ? undefined : body);
  const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers;
  if (!hasBody || request.headers.expect !== undefined) return void answer();
  discardBody(request);
  request.once('end', answer);
}

/** Reads the rest of a body, and closes the connection beyond `MAX_READ_BYTES`. */
export function discardBody(request: IncomingMessage): void {
  let left = MAX_READ_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}

export function rawAnswer(refused: Refusal, path?: string): string {
  const { status, headers, body } = refusalAnswer(refused, path);
  const fields = {
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

export const refusalOf = (error: Error): Refusal =>
  refusal(PARSER_REFUSALS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'REQUEST_MALFORMED');

/** Returns the path in an error of the parser, which has only the last packet of the request. */
export function pathIn(error: Error): string | undefined {
  const { rawPacket } = error as Error & { rawPacket?: Buffer };
  return /^[A-Z]+ (\/\S*)/.exec(rawPacket?.toString('latin1', 0, 256) ?? '')?.[1];
}

export const hasLongHeaders = ({ url = '', rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length) > MAX_HEADER_CHARACTERS;

const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Refuses missing or repeated `Host` with 400 (RFC 9112 §3.2), unknown expectations with 417 (RFC 9110). */
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
