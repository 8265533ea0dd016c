import { oneOf } from '../trial.ts';
import {
  asJson,
  FORM,
  JSON_TYPE,
  post,
  sampleOf,
  targets,
  type OddRequest,
  type Stage,
  type Target,
} from './odd-requests.ts';

/** Generates a request that is broken in another way than by one field's value. */
export function brokenRequest(stage: Stage): OddRequest {
  return oneOf(BREAKS, stage.random)(stage, oneOf(targets, stage.random));
}

const BREAKS: readonly ((stage: Stage, target: Target) => OddRequest)[] = [
  function cutJson(stage, target) {
    const text = JSON.stringify(sampleOf(stage, target));
    return post('JSON cut short', stage, target, text.slice(0, stage.random() * text.length), JSON_TYPE);
  },
  function flippedBytes(stage, target) {
    const bytes = Buffer.from(JSON.stringify(sampleOf(stage, target)));
    for (let flips = 0; flips < 3; flips++)
      bytes[Math.floor(stage.random() * bytes.length)] = Math.floor(stage.random() * 256);
    return post('bytes flipped', stage, target, bytes, oneOf([JSON_TYPE, FORM], stage.random));
  },
  function oddJson(stage, target) {
    const own = JSON.stringify(sampleOf(stage, target)).slice(0, -1);
    const first = target.fields[0] ?? 'a';
    const ends = [
      `${own}${own === '{' ? '' : ','}"__proto__":{"role":"operator"},"constructor":{"prototype":{}}}`,
      `${own}${own === '{' ? '' : ','}"${first}":1,"${first}":[]}`,
      '[]',
      '"text"',
      '5',
      'null',
      '\ufeff{}',
      '{"a":1}}',
      '['.repeat(90_000),
      `{"a":${'['.repeat(50_000)}`,
      ' '.repeat(200_000),
      '{"a":1e400}',
      '{"\\ud800":1}',
      "{'a':1}",
      '{"a":01}',
      '{/**/}',
      'NaN',
    ];
    return post('odd JSON', stage, target, oneOf(ends, stage.random), JSON_TYPE);
  },
  function manyFields(stage, target) {
    const name = oneOf(['k', 'ids[]', 'a[b]', '__proto__'], stage.random);
    const count = oneOf([1_999, 2_001, 5_000], stage.random);
    const body = Array.from({ length: count }, (_, at) => `${name === 'k' ? `k${at}` : name}=1`).join('&');
    return post('many fields', stage, target, body, FORM);
  },
  function oddType(stage, target) {
    const types = [
      'text/plain',
      'application/xml',
      'x',
      'application/json; charset=utf-16',
      'application/JSON',
    ];
    const type = oneOf([...types, 'multipart/form-data', `${'a/'.repeat(2_000)}b`, ';;;', ''], stage.random);
    return post('odd content type', stage, target, JSON.stringify(sampleOf(stage, target)), type);
  },
  brokenMultipart,
  function oddAuthorization(stage, target) {
    const { operator = '' } = stage.tokens;
    const [head = '', claims = '', seal = ''] = operator.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const odd = oneOf<string>(
      [
        '',
        'Beare',
        'Beare ',
        'Bearer undefined',
        'Basic YTpi',
        `Beare ${none}.${claims}.`,
        '.',
        '...',

        `Beare ${head}.${claims}.${seal.slice(1)}`,
        `Beare ${claims}.${head}.${seal}`,
        `Beare ${operator} x`,
        `Beare ${operator}${'.a'.repeat(500)}`,
        `Beare ${'a'.repeat(8_000)}`,
        operator,
        'Beare %00',
      ],
      stage.random,
    );
    const request = asJson(stage, target, '', '');
    return { ...request, what: 'odd authorization', headers: { ...request.headers, Authorization: odd } };
  },
  function oddAddress(stage, target) {
    const request = asJson(stage, target, '', '');
    const ends = [
      '/',
      '//',
      '/..',
      '/%2e%2e',
      '%00',
      '%',
      '%ff',
      ';a=b',
      '?',
      '?a=%',
      '#x',
      '/__proto__',
      '%2F',
      '\\',
    ];
    const query = `?${'a=1&'.repeat(500)}`;
    const path = `${target.call.path}${oneOf([...ends, query, `/${'a'.repeat(5_000)}`], stage.random)}`;
    return { ...request, what: 'odd address', path };
  },
  function otherMethod(stage, target) {
    const method = oneOf(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'GET', 'POST', 'QUERY'], stage.random);
    const { body: _, ...request } = asJson(stage, target, '', '');
    return { ...request, what: 'another method', method };
  },
  function oddHeaders(stage, target) {
    const request = asJson(stage, target, '', '');
    const odd = oneOf<Record<string, string>>(
      [
        { Origin: 'null' },
        { Origin: 'http://evil.example', Cookie: 'token=eyJ; user=%' },
        { 'X-Forwarded-For': `${'1.2.3.4, '.repeat(200)}x`, 'X-Forwarded-Host': 'evil', Forwarded: 'for=";' },
        {
          'Accept-Encoding': 'gzip;q=x, br;q=1e9, *;q=-1',
          Accept: '*/*;q=\u00ff',
          'Accept-Language': '\u00e9',
        },
        { 'If-None-Match': '*, W/"', 'If-Modified-Since': 'never', Range: 'bytes=9-1,0-' },
        { Cookie: `${'a=b; '.repeat(500)}__proto__=1`, 'User-Agent': 'x'.repeat(4_000) },
        { 'Content-Encoding': 'gzip', 'X-Request-Id': '<script>' },
      ],
      stage.random,
    );
    return { ...request, what: 'odd headers', headers: { ...request.headers, ...odd } };
  },
];

function brokenMultipart(stage: Stage, target: Target): OddRequest {
  const file = targets.find(({ call }) => call.body.kind === 'file') ?? target;
  const to = stage.random() < 0.8 ? file : target;
  const part = (name: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const whole = `${part('file', '; filename="a.png"')}\x89PNG\r\n--b--\r\n`;
  const bodies = [
    whole.slice(0, stage.random() * whole.length),
    whole.replaceAll('\r\n', '\n'),
    whole.replace('--b--', '--c--'),
    part('file', `; filename="${'a'.repeat(9_000)}"`) + whole,
    `${part('file')}text, not a file\r\n--b--\r\n`,
    `${part('__proto__')}x\r\n${part('file', "; filename*=UTF-8''%E0%A4%A")}x\r\n--b--\r\n`,
    `${part('file', '; filename="../../x\u0000.png"')}x\r\n`.repeat(50),
    `${part('a')}\r\n`.repeat(3_000),
    `--b\r\n${'X-Long: a\r\n'.repeat(3_000)}\r\nx\r\n--b--`,
    `--b\r\nContent-Disposition: attachment\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n`,
    '',
    '--b--',
  ];
  const types = [
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary="b',
    'multipart/form-data',
  ];
  const type = oneOf(
    [types[0] ?? '', ...types, `multipart/form-data; boundary=${'b'.repeat(300)}`],
    stage.random,
  );
  return post('broken multipart', stage, to, oneOf(bodies, stage.random), type);
}
