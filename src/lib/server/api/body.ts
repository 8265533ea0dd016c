import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { parse } from 'qs';
import { BOUNDS } from '../../contract/bounds.ts';
import type { Call } from '../../contract/call.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { createQueue } from '../queue.ts';
import { collect, type Collected, type HeldBody } from './held-bodies.ts';

/** Caps of SECURITY.md 12. */
const MAX_KEYS = 2000;
const MAX_DEPTH = 3;
/** Of large JSON: 4 MB of short values take half a second to parse, one long string some milliseconds. */
const MAX_VALUES = 10_000;
/** JSON up to this size takes at most 16 ms, whatever it holds. */
const MANY_CHARACTERS = 128 * 1024;
/** Reading a body of 300 KB takes 10 ms. */
const LARGE_BYTES = 32_768;
/** Characters of a value that are decoded in one turn of the event loop: 1 ms. */
const SLICE = 262_144;
const LONGEST_NAME = 64;

const QS_OPTIONS = {
  arrayLimit: MAX_KEYS,
  parameterLimit: MAX_KEYS,
  throwOnLimitExceeded: true,
  depth: MAX_DEPTH,
  plainObjects: true,
  decoder: decodeStrictly,
} as const;

/**
 * A call's input, unchecked; refuses as `readFields` or `readImagePart`.
 * @param owner whose turn a large body is read in
 */
export async function readInput(
  { body: { kind } }: Call,
  request: Request,
  body: HeldBody,
  owner: string,
): Promise<unknown> {
  return kind === 'file' ? { file: await readImagePart(request, body) } : readFields(request, body, owner);
}

/**
 * The fields of a call: a GET's query; a POST's form in qs style, or JSON. No body is no fields. Refuses with
 * BODY_MALFORMED (not UTF-8, broken escapes or JSON, no object), BODY_TYPE_UNSUPPORTED, BODY_TOO_LARGE (a
 * form of more than 2,000 fields, JSON of more than 10,000 values in 128 KB), and as `HeldBody.bytes` does.
 */
async function readFields(request: Request, body: HeldBody, owner: string): Promise<unknown> {
  if (request.method === 'GET') return parseForm(new URL(request.url).search.slice(1));
  const bytes = await body.bytes();
  if (bytes.length === 0) return {};
  if (bytes.length > LARGE_BYTES) return inTurn(() => readBytes(request, bytes), owner);
  return readBytes(request, bytes);
}

/**
 * The first `file` part of a multipart form, chunk by chunk: `Request.formData` reads 8 MB in one turn of the
 * event loop, in 20 ms and three copies. One byte past the largest image is kept, to tell. Refuses with
 * IMAGE_MISSING, BODY_MALFORMED, and as `HeldBody.chunks`.
 */
async function readImagePart({ headers }: Request, body: HeldBody): Promise<Uint8Array> {
  let image: Collected | undefined;
  const most = BOUNDS.imageBytes + 1;
  try {
    const form = new Busboy({
      headers: { 'content-type': headers.get('content-type') ?? '' },
      limits: { fileSize: most },
    });
    form.on('file', (name, part) => {
      const own = name === 'file' && image === undefined ? (image = collect(most)) : undefined;
      part.on('data', (chunk: Buffer) => own?.add(chunk));
      part.on('error', (error) => form.destroy(error));
    });
    // What a text part says is no image.
    form.on('field', (name) => name === 'file' && (image ??= collect(0)));
    await pipeline(body.chunks(), form);
  } catch (error) {
    if (isRefusal(error)) throw error;
    return refuse('BODY_MALFORMED', { text: '请以 multipart 表单上传图片' });
  }
  const bytes = image?.bytes();
  return bytes && bytes.length > 0 ? bytes : refuse('IMAGE_MISSING');
}

async function readBytes(request: Request, bytes: Uint8Array): Promise<unknown> {
  const body = decodeUtf8(bytes);
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseJson(body);
  if (type === '' || type === 'application/x-www-form-urlencoded') return parseForm(body);
  return refuse('BODY_TYPE_UNSUPPORTED');
}

// How many there may be is bounded by their bytes (held-bodies.ts).
const turns = createQueue({ running: 1, waiting: Infinity });

/** Reads large bodies one at a time, each in a separate turn of the event loop; clients take turns. */
const inTurn = <T>(read: () => Promise<T>, owner: string): Promise<T> =>
  turns.run(async () => {
    await nextTurn();
    return read();
  }, owner);

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('BODY_MALFORMED', { text: '请求内容不是有效的 UTF-8 编码' });
  }
}

function parseJson(body: string): unknown {
  if (body.length > MANY_CHARACTERS && hasTooManyValues(body))
    refuse('BODY_TOO_LARGE', { text: `字段过多，最多 ${MAX_VALUES} 个` });
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    refuse('BODY_MALFORMED');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('BODY_MALFORMED');
  // What a form cannot say: there a field without a value is left out.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}

/** Whether a JSON text has more than `MAX_VALUES`. */
function hasTooManyValues(body: string): boolean {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < body.length; at++) {
    const character = body[at];
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === '\\' ? 1 : 0;
    else if (character === ',' || character === '[' || character === '{') count++;
    if (count > MAX_VALUES) return true;
  }
  return false;
}

/** A form in qs style. qs takes half a second for a picture's data URL: long values are decoded apart. */
async function parseForm(body: string): Promise<unknown> {
  const pairs = body.length > SLICE ? body.split('&', MAX_KEYS + 1) : [];
  const long = pairs.length > MAX_KEYS ? '' : (pairs.find((pair) => pair.length > SLICE) ?? '');
  const name = /^(\w+)=/.exec(long.slice(0, LONGEST_NAME))?.[1];
  if (name === undefined) return parseFields(body);
  const fields = parseFields(pairs.filter((pair) => pair !== long).join('&'));
  if (name in fields) return parseFields(body);
  return Object.assign(fields, { [name]: await decodeInSlices(long.slice(name.length + 1)) });
}

async function decodeInSlices(text: string): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = at + SLICE;
    // Before a character that stands for itself no escape is half read.
    while (end < text.length && text.slice(end - 2, end + 1).includes('%')) end++;
    parts.push(decodeStrictly(text.slice(at, end)));
    at = end;
    await nextTurn();
  }
  return parts.join('');
}

function parseFields(body: string): Record<string, unknown> {
  try {
    return parse(body, QS_OPTIONS);
  } catch (error) {
    if (isRefusal(error)) throw error;
    if (error instanceof RangeError) refuse('BODY_TOO_LARGE', { text: `字段过多，最多 ${MAX_KEYS} 个` });
    throw error;
  }
}

/** qs keeps a broken escape as it stands; here it is refused, so that nobody stores half a character. */
function decodeStrictly(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse('BODY_MALFORMED', { text: '请求内容的编码不正确' });
  }
}
