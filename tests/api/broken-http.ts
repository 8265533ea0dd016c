import { oneOf } from '../trial.ts';

/** A malformed request as bytes; `isCall`: its request line is intact and names a call. */
export interface BrokenHttp {
  bytes: Buffer;
  isCall: boolean;
}

const CR_LF = '\r\n';

/** Headers that contradict themselves or each other. */
const HEADERS = [
  'Content-Length: -1',
  'Content-Length: 5, 5',
  'Content-Length: 99999999999999999999',
  'Content-Length: +3',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: \tchunked',
  'Transfer-Encoding: x',
  'Transfer-Encoding : chunked',
  'Host: b',
  'Host: a b',
  'Host:',
  ': nothing',
  'No colon',
  ' folded: a',
  'X: a\r\n b',
  'X: \u0000',
  'X\u0001: a',
  'X: a\rb',
  'X: a\nb',
  `X: ${'a'.repeat(20_000)}`,
  'Connection: upgrade\r\nUpgrade: websocket',
  'Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: x',
  'Connection: close, keep-alive, \u00ff',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Authorization: \u0080\u00ff',
  'Cookie: \u00e9=\u00e9; token',
  'Accept-Encoding: \u00ff',
  'Range: bytes=0-0,5-2',
  `${'X-Many: a\r\n'.repeat(1_500)}X: a`,
];

const BODIES = [
  '',
  'a=1',
  '{"a":1}',
  '0\r\n\r\n',
  'zz\r\n',
  '5\r\nabc',
  'ffffffffffffffff\r\na',
  '3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n',
];
const LINES: readonly ((path: string) => string)[] = [
  (path) => `POST  ${path} HTTP/1.1`,
  (path) => `POST ${path}`,
  (path) => `POST ${path} HTTP/1.1 x`,
  (path) => `POST ${path} HTTP/2.0`,
  (path) => `POST ${path} HTTP/0.9`,
  (path) => `post ${path} HTTP/1.1`,
  (path) => `POST\t${path}\tHTTP/1.1`,
  (path) => `POST http://evil.example${path} HTTP/1.1`,
  (path) => `POST ${path}\u0000 HTTP/1.1`,
  (path) => `POST ${path}?${'a'.repeat(20_000)} HTTP/1.1`,
  (path) => `POST *${path} HTTP/1.1`,
  (path) => `TRACE ${path} HTTP/1.1`,
  (path) => `CONNECT ${path} HTTP/1.1`,
  () => 'OPTIONS * HTTP/1.1',
  () => 'PRI * HTTP/2.0\r\n\r\nSM',
  () => '\u0016\u0003\u0001\u0002\u0000',
];

/** Generates a malformed request from `random`. */
export function brokenHttp(token: string, random: () => number): BrokenHttp {
  const path = oneOf(
    ['/api/page/new', '/api/page/pagelist', '/api/file/uploadImage', '/api/nothing'],
    random,
  );
  const isCall = random() < 0.7;
  const line = isCall ? `POST ${path} HTTP/1.1` : oneOf(LINES, random)(path);
  const heads = ['Host: a', `Authorization: Beare ${token}`, `Content-Type: ${oneOf(TYPES, random)}`];
  const odd = Array.from({ length: 1 + Math.floor(random() * 2) }, () => oneOf(HEADERS, random));
  const lengths = ['Content-Length: 3', 'Content-Length: 300', 'Transfer-Encoding: chunked', 'X: y'];
  const end = oneOf([CR_LF, '\n', '\r'], random);
  const head = [line, ...heads, oneOf(lengths, random), ...odd, ''].join(random() < 0.9 ? CR_LF : end);
  const bytes = Buffer.from(`${head}${CR_LF}${oneOf(BODIES, random)}`, 'latin1');
  if (random() < 0.2) for (let at = line.length + 2; at < bytes.length; at += 40) bytes[at] = random() * 256;
  return { bytes, isCall };
}

const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'x',
];

/** Describes a fault in everything that was received, or returns null. */
export function problemOfHttp(text: string, isCall: boolean): string | null {
  const answer = text.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '');
  if (answer === '') return null;
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!(status >= 200 && status < 500)) return text.slice(0, 300);
  if (/\n\s+at |node:internal/.test(text)) return `leak: ${text.slice(0, 300)}`;
  const isEnvelope = /^[0-9a-f]*\r?\n?\{"code":"(?:OK|ERROR)"/.test(rest.join('\r\n\r\n'));
  return !isCall || isEnvelope ? null : `no envelope: ${text.slice(0, 300)}`;
}
