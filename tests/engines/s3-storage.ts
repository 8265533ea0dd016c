import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Place } from '../../src/lib/server/config/config.ts';

/** A server on this machine that implements the S3 calls of the product, and refuses wrong signatures. */
export interface S3Storage {
  place: S3Place;
  /** Settings of an app that stores its uploads here. */
  settings: Record<string, string>;
  keys(): string[];
  get(key: string): Buffer;
  put(key: string, bytes: Uint8Array, written: Date): void;
  remove(key: string): void;
  /** Sets the time at which a key was written. */
  touch(key: string, written: Date): void;
  /**
   * Sets the behaviour of further calls: `silent` accepts a call and never responds, `broken` truncates the
   * response body, `full` and `slowing` refuse the second part of an upload, `stuffed`
   * every write, `elsewhere` a wrong region, `proxied` answers with HTML.
   */
  be(mood: Mood): void;
  /** Methods of the calls so far, such as `PUT`. */
  readonly calls: string[];
  /** Number of uploads in parts that are neither complete nor aborted. */
  unfinished(): number;
  /** Number of responses that are not complete yet. */
  openAnswers(): number;
  close(): Promise<void>;
}

type Mood =
  | 'well'
  | 'failing'
  | 'silent'
  | 'broken'
  | 'bucketless'
  | 'locked'
  | 'readonly'
  | 'writeonly'
  | 'undeletable'
  | 'full'
  | 'slowing'
  | 'stuffed'
  | 'elsewhere'
  | 'proxied';

/** Refusals of single calls: whether the mood refuses it, and how. */
const REFUSALS: Partial<
  Record<Mood, { refuses(method: string, query: URLSearchParams): boolean; status: number; code: string }>
> = {
  readonly: { refuses: (method) => method !== 'GET', status: 403, code: 'AccessDenied' },
  writeonly: { refuses: (method) => method === 'GET', status: 403, code: 'AccessDenied' },
  undeletable: { refuses: (method) => method === 'DELETE', status: 403, code: 'AccessDenied' },
  full: { refuses: isLaterPart, status: 507, code: 'XMinioStorageFull' },
  slowing: { refuses: isLaterPart, status: 503, code: 'SlowDown' },
  stuffed: { refuses: (method) => method === 'PUT', status: 507, code: 'XMinioStorageFull' },
  elsewhere: { refuses: () => true, status: 400, code: 'AuthorizationHeaderMalformed' },
};

function isLaterPart(_method: string, query: URLSearchParams): boolean {
  return Number(query.get('partNumber') ?? 0) > 1;
}

interface Stored {
  bytes: Buffer;
  type: string;
  written: Date;
}

const PAGE = 3;

/** Starts the storage. Lists contain three keys per page, so few files need several pages. */
export async function openS3Storage(prefix = 'blog/pictures/'): Promise<S3Storage> {
  const stored = new Map<string, Stored>();
  const parts = new Map<string, Map<number, Buffer>>();
  const calls: string[] = [];
  let mood: Mood = 'well';
  let open = 0;
  const place: S3Place = {
    bucket: 'moye-test',
    region: 'cn-test-1',
    endpoint: '',
    accessKeyId: 'AKIDTEST',
    secretAccessKey: 'a secret of the storage',
    prefix,
    pathStyle: true,
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    calls.push(request.method ?? '');
    open++;
    response.once('close', () => open--);
    const body = await bytesOf(request);
    if (mood === 'silent') return;
    if (mood === 'failing') return refuse(response, 503, 'SlowDown');
    if (mood === 'proxied') return void response.writeHead(502).end('<html><hr>Bad Gateway</html>');
    if (mood === 'locked' || !isSigned(request, body, place)) return refuse(response, 403, 'AccessDenied');
    if (mood === 'bucketless') return refuse(response, 404, 'NoSuchBucket');
    const url = new URL(request.url ?? '', 'http://storage');
    const [, bucket, ...rest] = url.pathname.split('/');
    if (bucket !== place.bucket) return refuse(response, 404, 'NoSuchBucket');
    const key = decodeURIComponent(rest.join('/'));
    const refusal = REFUSALS[mood];
    if (refusal?.refuses(request.method ?? '', url.searchParams))
      return refuse(response, refusal.status, refusal.code);
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return receivePart(request, response, { key, query: url.searchParams, body });
    if (key === '' && url.searchParams.get('list-type') === '2') return list(response, url.searchParams);
    answer(request, response, key, body);
  };
  const held = (key: string): Stored => {
    const found = stored.get(key);
    if (!found) throw new Error(`no ${key} is stored`);
    return found;
  };
  const list = (response: ServerResponse, query: URLSearchParams): void => {
    const after = query.get('continuation-token') ?? '';
    const all = [...stored.keys()].sort().filter((key) => key.startsWith(query.get('prefix') ?? ''));
    const left = all.filter((key) => key > after);
    const page = left.slice(0, PAGE);
    const isCut = left.length > PAGE;
    const contents = page.map((key) => {
      const { bytes, written } = held(key);
      return `<Contents><Key>${key}</Key><LastModified>${written.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    response
      .writeHead(200, { 'Content-Type': 'application/xml' })
      .end(
        `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
      );
  };
  const receivePart = (
    { method }: IncomingMessage,
    response: ServerResponse,
    { key, query, body }: { key: string; query: URLSearchParams; body: Buffer },
  ): void => {
    const id = query.get('uploadId');
    const answerXml = (xml: string) =>
      void response.writeHead(200, { 'Content-Type': 'application/xml' }).end(xml);
    if (id === null) {
      const begun = `upload-${calls.length}`;
      parts.set(begun, new Map());
      return answerXml(
        `<InitiateMultipartUploadResult><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const received = parts.get(id);
    if (!received) return refuse(response, 404, 'NoSuchUpload');
    if (method === 'PUT') {
      received.set(Number(query.get('partNumber')), body);
      return void response.writeHead(200, { ETag: `"${sha256(body).slice(0, 32)}"` }).end();
    }
    parts.delete(id);
    if (method === 'DELETE') return void response.writeHead(204).end();
    const bytes = Buffer.concat([...received].sort(([one], [other]) => one - other).map(([, part]) => part));
    stored.set(key, { bytes, type: 'application/zstd', written: new Date() });
    answerXml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
  };
  const answer = (request: IncomingMessage, response: ServerResponse, key: string, body: Buffer): unknown => {
    if (request.method === 'PUT') {
      stored.set(key, { bytes: body, type: String(request.headers['content-type']), written: new Date() });
      return response.writeHead(200, { ETag: '"x"' }).end();
    }
    if (request.method === 'DELETE') {
      stored.delete(key);
      return response.writeHead(204).end();
    }
    const found = stored.get(key);
    if (!found) return refuse(response, 404, 'NoSuchKey');
    const all = found.bytes;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (Number(first) >= all.length) return refuse(response, 416, 'InvalidRange');
    const bytes = first === undefined ? all : all.subarray(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + bytes.length - 1}/${all.length}`;
    const ETag = `"${sha256(all).slice(0, 32)}"`;
    if ((request.headers['if-match'] ?? ETag) !== ETag) return refuse(response, 412, 'PreconditionFailed');
    response.writeHead(first === undefined ? 200 : 206, {
      'Content-Type': found.type,
      'Content-Length': bytes.length,
      ETag,
      ...(first === undefined ? {} : { 'Content-Range': range }),
    });
    if (request.method === 'HEAD') return response.end();
    if (mood !== 'broken') return response.end(bytes);
    return response.write(bytes.subarray(0, 10), () => response.destroy());
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  place.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    place,
    settings: {
      S3_BUCKET: place.bucket,
      S3_ENDPOINT: place.endpoint,
      S3_REGION: place.region,
      S3_ACCESS_KEY_ID: place.accessKeyId,
      S3_SECRET_ACCESS_KEY: place.secretAccessKey,
      S3_PREFIX: place.prefix,
    },
    keys: () => [...stored.keys()].sort(),
    get: (key) => held(key).bytes,
    put: (key, bytes, written) =>
      void stored.set(key, { bytes: Buffer.from(bytes), type: 'image/png', written }),
    remove: (key) => void stored.delete(key),
    touch: (key, written) => void (held(key).written = written),
    be: (next) => void (mood = next),
    calls,
    unfinished: () => parts.size,
    openAnswers: () => open,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** Whether the request has a valid Signature Version 4 by the key of `place`, over its scope and body. */
function isSigned(request: IncomingMessage, body: Buffer, place: S3Place): boolean {
  const header = (name: string) => [request.headers[name] ?? ''].flat().join(',');
  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    header('authorization'),
  );
  if (!parts) return false;
  const [, credential = '', signedHeaders = '', signature = ''] = parts;
  const instant = header('x-amz-date');
  const scope = `${instant.slice(0, 8)}/${place.region}/s3/aws4_request`;
  if (credential !== `${place.accessKeyId}/${scope}`) return false;
  if (header('x-amz-content-sha256') !== sha256(body)) return false;
  const url = new URL(request.url ?? '', 'http://storage');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders.split(';').map((name) => `${name}:${header(name).trim()}\n`);
  const canonical = [request.method, url.pathname, query, headers.join(''), signedHeaders, sha256(body)].join(
    '\n',
  );
  const toSign = ['AWS4-HMAC-SHA256', instant, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${place.secretAccessKey}`);
  return hmac(key, toSign).toString('hex') === signature;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
