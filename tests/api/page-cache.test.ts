import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount } from '../trial.ts';
import { cookie, openCacheStage, type CacheStage } from './cache-stage.ts';
import { done, openServer } from './server.ts';
import { openWire } from './wire.ts';

const URLS = amount('TEST_URLS', 400, 3_000);

/** Cached pages over HTTP: the bytes on the wire, and who receives cached pages. */
let stage: CacheStage;
beforeAll(async () => {
  // One test sends a thousand concurrent requests.
  stage = await openCacheStage({ CONNECTIONS_PER_ADDRESS: '2000' });
});
afterAll(() => stage.server.close());

const encodingOf = async (list: string) =>
  (await stage.ask(stage.detail, { 'accept-encoding': list })).headers['content-encoding'];

describe('a cached page', () => {
  test('is the same in every encoding, each with a strong ETag', async () => {
    const plain = await stage.ask(stage.detail);
    const gzip = await stage.ask(stage.detail, { 'accept-encoding': 'gzip' });
    const br = await stage.ask(stage.detail, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(plain.body.toString()).toContain('山居秋暝');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    const answers = [plain, gzip, br];
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(3);
    for (const { status, headers, body } of answers) {
      expect(status).toBe(200);
      expect(headers['etag']).toMatch(/^"[\w-]{22}"$/);
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers['vary']).toBe('Accept-Encoding');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-tag']).toBeUndefined();
      expect(headers['cdn-cache-control']).toBeUndefined();
    }
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(3);
  });

  test('is sent in the client’s preferred encoding, or uncompressed', async () => {
    expect(await encodingOf('br;q=0, gzip')).toBe('gzip');
    expect(await encodingOf('gzip;q=1, br;q=0.5')).toBe('gzip');
    expect(await encodingOf('*')).toBe('br');
    expect(await encodingOf('zstd, x-unknown')).toBeUndefined();
    expect(await encodingOf('identity;q=0, *;q=0')).toBeUndefined();
    expect(await encodingOf(',,;;q=')).toBeUndefined();
    expect(await encodingOf('x'.repeat(4000))).toBeUndefined();
  });

  test('revalidates with 304', async () => {
    const { headers } = await stage.ask(stage.detail, { 'accept-encoding': 'br' });
    const etag = String(headers['etag']);
    const having = (name: string) =>
      stage.ask(stage.detail, { 'accept-encoding': 'br', 'if-none-match': name });
    for (const name of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers: brief, body } = await having(name);
      expect([status, body.length, brief['etag']]).toEqual([304, 0, etag]);
      expect(brief['content-length']).toBeUndefined();
    }
    for (const name of ['"other"', etag.slice(1, -1), '']) expect((await having(name)).status).toBe(200);
    // Another encoding has another ETag.
    const plain = String((await stage.ask(stage.detail)).headers['etag']);
    expect((await having(plain)).status).toBe(200);
  });

  test('answers HEAD with the same headers, and a range with the full page', async () => {
    const whole = await stage.ask(stage.detail, { 'accept-encoding': 'br' });
    const head = await stage.ask(stage.detail, { 'accept-encoding': 'br' }, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'])
      expect(head.headers[name]).toBe(whole.headers[name]);
    const part = await stage.ask(stage.detail, { range: 'bytes=0-9' });
    expect([part.status, part.body.length]).toEqual([200, (await stage.ask(stage.detail)).body.length]);
    expect((await stage.ask(stage.detail, {}, 'POST')).status).toBe(405);
  });

  test('is rendered once for concurrent requests', async () => {
    const path = `/home/${encodeURIComponent('空山新雨')}`;
    const before = stage.numbers().renders;
    const answers = await Promise.all(Array.from({ length: 1000 }, () => stage.server.send(path)));
    expect(stage.numbers().renders - before).toBe(1);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.text).toContain('<mark>');
  });

  test('has one key for all spellings of its query', async () => {
    await stage.ask('/tag/list');
    const before = stage.numbers().renders;
    for (const query of [
      '',
      '?',
      '?page=1',
      '?page=x',
      '?utm_source=x',
      '?page=0&a=b',
      '?__proto__=1',
      '?page[]=2',
    ])
      expect((await stage.ask(`/tag/list${query}`)).status).toBe(200);
    expect(stage.numbers().renders).toBe(before);
  });

  test('is bypassed on request, and nothing is stored then', async () => {
    const { entries, renders } = stage.numbers();
    const answer = await stage.ask(`${stage.detail}/true`);
    expect([answer.status, answer.headers['etag']]).toEqual([200, undefined]);
    expect(stage.numbers()).toMatchObject({ entries, renders });
  });
});

describe('private pages', () => {
  const hidden = async (fields: Record<string, string | string[]>) => {
    return `/detail/${await stage.server.write(stage.author, { title: '只给自己', ...fields })}`;
  };

  test.each([{ secret: 'true' }, { status: 'draft' }])(
    'is visible only to its author and never cached: %o',
    async (fields) => {
      const path = await hidden(fields);
      for (const first of ['author', 'visitor'])
        for (const who of first === 'author'
          ? ['author', 'visitor', 'reader']
          : ['visitor', 'reader', 'author']) {
          const person = who === 'author' ? stage.author : stage.reader;
          const { status, headers, body } = await stage.ask(path, who === 'visitor' ? {} : cookie(person));
          expect(stage.isCached(path)).toBe(false);
          if (who === 'author') {
            expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
            expect(body.toString()).toContain('只给自己');
          } else expect(body.toString()).not.toContain('只给自己');
          if (who === 'visitor') expect([status, headers['location']]).toEqual([302, '/404']);
        }
    },
  );

  test('is gone at once for its readers when hidden', async () => {
    const path = `/detail/${await stage.server.write(stage.author, { title: '后来不给看' })}`;
    const { headers } = await stage.ask(path);
    expect(stage.isCached(path)).toBe(true);
    const fields = {
      id: path.split('/')[2] ?? '',
      title: '后来不给看',
      content: '正文',
      tags: ['诗'],
      status: 'normal',
    };
    done(await stage.server.post('/api/page/edit', { ...fields, secret: 'true' }, stage.author.token));
    const again = await stage.ask(path, { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.headers['location']]).toEqual([302, '/404']);
    expect((await stage.ask(path, cookie(stage.author))).status).toBe(200);
    expect(stage.isCached(path)).toBe(false);
  });

  test('do not include a cached tag page that only its creator may see', async () => {
    await hidden({ secret: 'true', tags: ['心事'] });
    const path = `/tag/detail/${encodeURIComponent('心事')}`;
    expect((await stage.ask(path, cookie(stage.author))).status).toBe(200);
    expect((await stage.ask(path)).status).toBe(302);
  });

  test('public pages are the same for signed-in users', async () => {
    stage.clear();
    const signedIn = await stage.ask(stage.detail, cookie(stage.author));
    expect(stage.isCached(stage.detail)).toBe(true);
    expect(signedIn.body.equals((await stage.ask(stage.detail)).body)).toBe(true);
  });
});

test('thousands of URLs stay within the cache size', async () => {
  const small = await openServer({ PAGE_CACHE_MB: '1' });
  try {
    const ask = (path: string) => fetch(small.url + path).then((response) => response.arrayBuffer());
    for (let index = 0; index < URLS; index += 50) {
      const some = Array.from({ length: 50 }, (_, offset) => index + offset);
      await Promise.all(
        some.flatMap((number) => [ask(`/home/${number}`), ask(`/tag/list?page=${number}&x=${number}`)]),
      );
      expect(small.app.pageCache?.numbers().bytes).toBeLessThanOrEqual(1024 * 1024);
    }
    expect(small.app.pageCache?.numbers().evictions).toBeGreaterThan(URLS / 3);
  } finally {
    await small.close();
  }
});

describe('on a connection that stays open', () => {
  const ask = async (count: number, headers = '') => {
    const wire = await openWire(stage.server.url);
    const request = `GET ${stage.detail} HTTP/1.1\r\nHost: x\r\n${headers}`;
    wire.socket.write(`${`${request}\r\n`.repeat(count - 1)}${request}Connection: close\r\n\r\n`);
    return (await wire.closed).split(/(?=HTTP\/1\.1 )/);
  };
  const headersOf = (answer = '') => {
    const lines = answer.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
    const varying = /^(date|x-request-id|connection|keep-alive):/i;
    return lines.filter((line) => !varying.test(line)).map((line) => line.toLowerCase());
  };
  const bodyOf = (answer = '') => answer.slice(answer.indexOf('\r\n\r\n') + 4);

  test('a page is the same as on a closing connection', async () => {
    const [first, second, last] = await ask(3);
    expect(first).toMatch(/\r\nConnection: keep-alive\r\n/);
    expect(last).toMatch(/\r\nConnection: close\r\n/);
    expect(Date.parse(/\r\nDate: (.+)\r\n/.exec(first ?? '')?.[1] ?? '')).toBeGreaterThan(
      Date.now() - 60_000,
    );
    expect(headersOf(first).toSorted()).toEqual(headersOf(last).toSorted());
    expect([bodyOf(first), bodyOf(second)]).toEqual([bodyOf(last), bodyOf(last)]);
    expect(bodyOf(last)).toContain('</html>');
  });

  test('responses arrive in request order', async () => {
    const wire = await openWire(stage.server.url);
    const paths = [
      '/home',
      '/api/nothing',
      stage.detail,
      '/home?keywords=x',
      stage.detail,
      '/healthz',
      '/home',
    ];
    wire.socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    wire.socket.write(`GET /tag/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const statuses = [...(await wire.closed).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
      Number(status),
    );
    expect(statuses).toEqual([200, 404, 200, 302, 200, 200, 200, 200]);
  });

  test('a slow reader gets every response completely', async () => {
    const ASKED = 1000;
    const { body } = await stage.ask(stage.detail);
    const wire = await openWire(stage.server.url);
    wire.socket.pause();
    wire.socket.write(`GET ${stage.detail} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(ASKED));
    wire.socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    // By now, more responses are pending than the connection's buffers hold.
    await stage.ask('/healthz');
    wire.socket.resume();
    const answers = (await wire.closed).split('HTTP/1.1 200 OK\r\n').slice(1);
    expect(answers).toHaveLength(ASKED + 1);
    expect(answers.slice(0, -1).every((answer) => bodyOf(answer) === body.toString())).toBe(true);
  });

  test('an old client that asks for it gets one answer', async () => {
    const wire = await openWire(stage.server.url);
    wire.socket.write(`GET ${stage.detail} HTTP/1.0\r\n\r\n`);
    expect(bodyOf(await wire.closed)).toContain('</html>');
  });
});
