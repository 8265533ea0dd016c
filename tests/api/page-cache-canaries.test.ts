import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCacheStage, type CacheStage } from './cache-stage.ts';

/** Threat 4 of SECURITY.md: data of one request must not get into a cached page that others receive. */
let stage: CacheStage;
beforeAll(async () => {
  stage = await openCacheStage();
});
afterAll(() => stage.server.close());

/** Every part of a request that could leak into a page; 200 canaries, each with a unique text. */
const CANARIES = [
  ...[
    'host',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-for',
    'x-forwarded-port',
    'x-forwarded-prefix',
    'x-forwarded-server',
    'x-original-url',
    'x-rewrite-url',
    'x-http-method-override',
    'x-host',
    'x-real-ip',
    'forwarded',
    'via',
    'origin',
    'referer',
    'user-agent',
    'accept',
    'accept-language',
    'accept-encoding',
    'authorization',
    'if-none-match',
    'if-modified-since',
    'range',
    'cache-control',
    'pragma',
    'te',
    'dnt',
    'save-data',
    'sec-fetch-site',
    'sec-purpose',
    'x-requested-with',
    'cf-connecting-ip',
    'true-client-ip',
    'x-astro-path',
    'x-astro-locals',
    'x-request-id',
    'cache-tag',
    'x-forwarded-scheme',
    'content-type',
  ].map((name) => (text: string) => ({ headers: { [name]: `${text}.example` } })),
  ...[
    'user',
    'token',
    'refreshToken',
    'theme',
    'session',
    'astro-session',
    '__proto__',
    'lang',
    'redirect',
    'x',
  ].map((name) => (text: string) => ({ headers: { cookie: `${name}=${text}` } })),
  ...[
    'utm_source',
    'fbclid',
    'callback',
    'redirect',
    'lang',
    'theme',
    'tab',
    'show',
    'q',
    'keyword',
    'page[]',
    '__proto__',
    'constructor',
    'x',
    '_method',
    'token',
    'username',
    'origin',
    'url',
    'id',
    'format',
    'amp',
    'debug',
    'cache',
    'refresh',
    'Page',
    'KEYWORDS',
    'p',
    'sort',
    'status',
    'type',
    'secret',
    'author',
    'tag',
    'path',
    'next',
    'from',
    'ref',
    's',
    'search',
    'size',
    'pageSize',
    'limit',
    'offset',
    'content',
    'fields',
    'astro',
    '_data',
    'json',
    'v',
  ].map((name) => (text: string) => ({ headers: {}, query: `${encodeURIComponent(name)}=${text}` })),
];

describe('request data', () => {
  test('is in no cached page, 200 canaries', async () => {
    const paths = [stage.detail, '/home'];
    const sent: string[] = [];
    for (const [index, canary] of [...CANARIES, ...CANARIES].entries()) {
      const text = `canary${index}z`;
      sent.push(text);
      const path = paths[index % paths.length] ?? '';
      const { headers, query } = { query: '', ...canary(text) };
      // The cache is empty, so the response to the canary's request would be cached.
      stage.clear();
      await stage.ask(query === '' ? path : `${path}?${query}`, headers);
      const clean = await stage.ask(path);
      expect(clean.status).toBe(200);
      expect(clean.body.toString() + JSON.stringify(clean.headers)).not.toContain('canary');
    }
    expect(sent).toHaveLength(200);
  });

  test('creates no cache entries for other URLs', async () => {
    stage.clear();
    const odd = [
      '/home/../home',
      '//home',
      '/home/%',
      '/home/%ff',
      '/HOME',
      '/home\\x',
      '/home/./x',
      '/tag/detail/',
    ];
    odd.push('/detail/x', `/detail/${'0'.repeat(24)}`, '/user/info/nobody', '/lab/none', '/home?keywords=x');
    for (const path of odd) {
      const { status } = await stage.ask(path);
      expect([200, 302, 400, 404]).toContain(status);
      if (status !== 200) expect(stage.numbers().entries).toBe(0);
      stage.clear();
    }
  });
});
