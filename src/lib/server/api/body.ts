import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'qs';
import { isRefusal, refuse } from '../../contract/errors.ts';

/** Caps of SECURITY.md 12. */
const MAX_KEYS = 2000;
const MAX_DEPTH = 3;
/** Reading a body of 300 KB takes 10 ms. */
const LARGE_BYTES = 32_768;

const QS_OPTIONS = {
  arrayLimit: MAX_KEYS,
  parameterLimit: MAX_KEYS,
  throwOnLimitExceeded: true,
  depth: MAX_DEPTH,
  plainObjects: true,
  decoder: decodeStrictly,
} as const;

/**
 * Reads the fields of a call: the query of a GET; a form in qs style or JSON in a POST. No body at all is no
 * fields. Refuses with BODY_MALFORMED (bytes that are not UTF-8, broken escapes or JSON, JSON that is no
 * object), BODY_TYPE_UNSUPPORTED, BODY_TOO_LARGE (more than 2,000 fields).
 */
export async function readFields(request: Request): Promise<unknown> {
  if (request.method === 'GET') return parseForm(new URL(request.url).search.slice(1));
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return {};
  if (bytes.byteLength > LARGE_BYTES) await largeTurn();
  const body = decodeUtf8(bytes);
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseJson(body);
  if (type === '' || type === 'application/x-www-form-urlencoded') return parseForm(body);
  return refuse('BODY_TYPE_UNSUPPORTED');
}

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other large body has: what else has come in is served between
 * two of them.
 */
function largeTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('BODY_MALFORMED', { text: '请求内容不是有效的 UTF-8 编码' });
  }
}

function parseJson(body: string): unknown {
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

function parseForm(body: string): unknown {
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
