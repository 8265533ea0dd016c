import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';

/** Content encodings, best first; `identity` is uncompressed. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** One encoding of a page with its response headers: alternating names and values as for `writeHead`. */
export interface Body {
  bytes: Buffer;
  /** A strong validator (RFC 9110 §8.8.1), quotes included. */
  etag: string;
  fields: readonly string[];
  /** Time of `Last-Modified` in milliseconds since the epoch; null without one. */
  modifiedAt: number | null;
  wire: { second: number; bytes: Buffer } | null;
  notModified: readonly string[];
}

export interface CachedPage {
  readonly headers: readonly [name: string, value: string][];
  readonly tags: readonly string[];
  /** On the clock of `performance.now()`. */
  readonly renderedAt: number;
  /**
   * Bodies made so far, at least one. `identity` exists from the start and is removed when a compressed body
   * is made, because hardly any client requests both.
   */
  readonly bodies: Partial<Record<Encoding, Body>>;
  /** Size of data stored along with the page, in bytes; `sizeOf` includes it. */
  readonly extraBytes?: number;
  isSmall: boolean;
  /** Time of the last request, on the same clock. */
  requestedAt: number;
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const decompressors = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

// For 31 KB: brotli 5 takes 1.2 ms for 9,868 bytes, 11 takes 54 ms for 8,475; gzip 6 and 9 differ by 1 %.
const QUALITY = { quick: { br: 5, gzip: 6 }, small: { br: 11, gzip: 9 } };

/** Creates a page for the cache. `headers` must not include any about length, encoding or shared caches. */
export function toCachedPage(
  bytes: Buffer,
  headers: readonly [name: string, value: string][],
  tags: readonly string[],
): CachedPage {
  const identity = bodyOf(bytes, 'identity', headers);
  const now = performance.now();
  return { headers, tags, renderedAt: now, requestedAt: now, bodies: { identity }, isSmall: false };
}

function bodyOf(bytes: Buffer, encoding: Encoding, headers: CachedPage['headers']): Body {
  const fixed = headers.flat();
  // Includes the headers (such as the content security policy): the same text from another build is a
  // different page.
  const etag = `"${createHash('sha256').update(fixed.join('\n')).update(bytes).digest('base64url').slice(0, 22)}"`;
  const notModified = [
    ...fixed.filter((_, at) => !/^content-type$/i.test(fixed[at - (at % 2)] ?? '')),
    'ETag',
    etag,
    'Vary',
    'Accept-Encoding',
  ];
  const own = ['ETag', etag, 'Vary', 'Accept-Encoding', 'Content-Length', String(bytes.length)];
  if (encoding !== 'identity') own.push('Content-Encoding', encoding);
  const [, modified] = headers.find(([name]) => /^last-modified$/i.test(name)) ?? [];
  const modifiedAt = modified === undefined ? null : Date.parse(modified);
  return { bytes, etag, fields: [...fixed, ...own], modifiedAt, notModified, wire: null };
}

/** Returns the body of `encoding`. Makes a missing body on another thread; `small` compresses again. */
export async function encode(
  page: CachedPage,
  encoding: Encoding,
  effort: 'quick' | 'small' = 'quick',
): Promise<Body> {
  const { bodies } = page;
  const made = bodies[encoding];
  if (made && (encoding === 'identity' || effort === 'quick')) return made;
  const whole = await wholeOf(page);
  const bytes = encoding === 'identity' ? whole : exact(await compress(whole, encoding, effort));
  // Compressing again keeps the identity body: a client has requested it since.
  if (!made && encoding !== 'identity') delete bodies.identity;
  return (bodies[encoding] = bodyOf(bytes, encoding, page.headers));
}

/** Copies bytes to a buffer of their size: results of zlib keep a block of 16 KB alive, of brotli 64 KB. */
function exact(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** Returns the uncompressed bytes of a page. Decompresses another body if there is no identity body. */
function wholeOf({ bodies }: CachedPage): Buffer | Promise<Buffer> {
  if (bodies.identity) return bodies.identity.bytes;
  const encoding = bodies.br ? 'br' : 'gzip';
  const body = bodies[encoding];
  if (!body) throw new Error('a page without a body');
  return decompressors[encoding](body.bytes).then(exact);
}

function compress(whole: Buffer, encoding: 'br' | 'gzip', effort: 'quick' | 'small'): Promise<Buffer> {
  const quality = QUALITY[effort][encoding];
  if (encoding === 'gzip') return compressors.gzip(whole, { level: quality });
  return compressors.br(whole, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}

export function sizeOf({ bodies, tags, extraBytes = 0 }: CachedPage): number {
  const OVERHEAD = 2048;
  const bytes = Object.values(bodies).reduce((sum, body) => sum + body.bytes.length, 0);
  return bytes + extraBytes + OVERHEAD + tags.reduce((sum, tag) => sum + tag.length * 2, 0);
}

const WIRE_START = 'HTTP/1.1 200 OK\r\nX-Request-Id: ';

/**
 * Returns a whole response for a keep-alive connection, from the status line to the end of the body.
 * Responses of the same second share the buffer: it is only valid until the next call, unless `keepWire` is
 * called.
 * @param requestId a UUID
 * @param keepAliveS timeout of the connection, for its header
 */
export function onWire(body: Body, requestId: string, keepAliveS: number): Buffer {
  const second = Math.floor(Date.now() / 1000);
  if (body.wire?.second !== second)
    body.wire = { second, bytes: compose(body, requestId, second, keepAliveS) };
  const { bytes } = body.wire;
  bytes.write(requestId, WIRE_START.length, 'latin1');
  return bytes;
}

/** Leaves the buffer of `onWire` to a connection that has not sent all of it. */
export const keepWire = (body: Body): void => void (body.wire = null);

function compose(body: Body, requestId: string, second: number, keepAliveS: number): Buffer {
  const { fields, bytes } = body;
  let head = `${WIRE_START}${requestId}\r\n`;
  for (let at = 0; at < fields.length; at += 2) head += `${fields[at]}: ${fields[at + 1]}\r\n`;
  head += `Date: ${new Date(second * 1000).toUTCString()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveS}\r\n\r\n`;
  const whole = Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
  body.bytes = whole.subarray(whole.length - bytes.length);
  return whole;
}
