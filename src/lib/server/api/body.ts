import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { parse } from 'qs';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import type { Call } from '../../contract/calls/call.ts';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { createQueue } from '../jobs/queue.ts';
import { collect, type Collected, type HeldBody } from './held-bodies.ts';
import { KIB } from '../../contract/rules/units.ts';

/** Limits of SECURITY.md 12. */
const MAX_KEYS = 2000;
const MAX_DEPTH = 3;
/** Of large JSON: 4 MB of short values take half a second to parse, one long string some milliseconds. */
const MAX_VALUES = 10_000;
/** JSON up to this size takes at most 16 ms, whatever it holds. */
const MANY_CHARACTERS = 128 * KIB;
/** Reading a body of 300 KB takes 10 ms. */
const LARGE_BYTES = 32_768;
/** Characters decoded per turn of the event loop: 1 ms. */
const SLICE_CHARACTERS = 262_144;
const MAX_FIELD_NAME_CHARACTERS = 64;

const QS_OPTIONS = {
  arrayLimit: MAX_KEYS,
  parameterLimit: MAX_KEYS,
  throwOnLimitExceeded: true,
  depth: MAX_DEPTH,
  plainObjects: true,
  decoder: decodeStrictly,
} as const;

export async function readInput(
  { body: { kind } }: Pick<Call, 'body'>,
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
 * Reads the first `file` part of a multipart form in chunks: `Request.formData` reads 8 MB in one turn of the
 * event loop, taking 20 ms and three copies. Keeps one byte past the maximum image size so the caller can
 * detect an oversized image. Refuses with IMAGE_MISSING, BODY_MALFORMED, and like `HeldBody.chunks`.
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
    // A text field named `file` counts as an empty image.
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
  if (bytes.length > SLICE_CHARACTERS) await nextTurn();
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseJson(body);
  if (type === '' || type === 'application/x-www-form-urlencoded') return parseForm(body);
  return refuse('BODY_TYPE_UNSUPPORTED');
}

const turns = createQueue({ running: 1, waiting: Infinity });

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
  // A form cannot express null; it omits the field instead.
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

/** Parses a form in qs style. Decodes a long value separately: qs needs half a second for image data URLs. */
async function parseForm(body: string): Promise<unknown> {
  const pairs = body.length > SLICE_CHARACTERS ? body.split('&', MAX_KEYS + 1) : [];
  const long = pairs.length > MAX_KEYS ? '' : (pairs.find((pair) => pair.length > SLICE_CHARACTERS) ?? '');
  const name = /^(\w+)=/.exec(long.slice(0, MAX_FIELD_NAME_CHARACTERS))?.[1];
  if (name === undefined) return parseFields(body);
  const fields = parseFields(pairs.filter((pair) => pair !== long).join('&'));
  if (name in fields) return parseFields(body);
  return Object.assign(fields, { [name]: await decodeInSlices(long.slice(name.length + 1)) });
}

async function decodeInSlices(text: string): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = at + SLICE_CHARACTERS;
    // Never cuts inside a percent escape.
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

/** Rejects broken escapes, which qs would keep as text, so no partial character is stored. */
function decodeStrictly(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse('BODY_MALFORMED', { text: '请求内容的编码不正确' });
  }
}
