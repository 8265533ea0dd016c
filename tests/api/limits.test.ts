import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStorage } from '../engine.ts';
import {
  clientOf,
  done,
  openServer,
  outcome,
  PASSWORD,
  refused,
  type Answer,
  type Person,
  type TestServer,
} from './server.ts';
import { makeSite, spawnServer, temporaryFolder } from './spawn.ts';
import { openWire, sendExactly } from './wire.ts';
import { KIB } from '../../src/lib/contract/rules/units.ts';

const TOO_LARGE = refused('提交的内容过大', 413);
const TOO_MANY = refused('操作过于频繁，请稍后再试', 429);

describe('bodies', () => {
  let server: TestServer;
  let author: Person;
  beforeAll(async () => {
    server = await openServer();
    author = await server.join('王维');
  });
  afterAll(() => server?.close());

  test.each([
    ['/api/signin', 257 * KIB],
    ['/api/page/pagelist', 257 * KIB],
    ['/api/comment/create', 257 * KIB],
    ['/api/page/new', 32_769 * KIB],
    ['/api/page/edit', 32_769 * KIB],
    ['/api/file/uploadAvatar', 32_769 * KIB],
    ['/api/file/uploadImage', 16_449 * KIB],
  ])('%s takes less than %i bytes, announced or in chunks', async (path, size) => {
    const body = Buffer.alloc(size, 'a');
    expect(outcome(await server.raw(path, body, { token: author.token }))).toEqual(TOO_LARGE);
    let left = 3 * size;
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(64 * KIB).fill(97));
        if ((left -= 64 * KIB) <= 0) controller.close();
      },
    });
    // Without a sign-in the server would refuse the call and not read the body.
    const headers = {
      Authorization: `Beare ${author.token}`,
      'Content-Type': 'multipart/form-data; boundary=a',
    };
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: chunks, headers, duplex: 'half' };
    const streamed = await server.send(path, init);
    expect(outcome(streamed)).toEqual(TOO_LARGE);
  });

  test('a gigabyte is refused before it is sent', async () => {
    const head = `POST /api/page/new HTTP/1.1\r\nHost: a\r\nContent-Length: ${2 ** 30}\r\nConnection: close\r\n\r\n`;
    const { status, body } = await sendExactly(server.url, head);
    expect([status, JSON.parse(body)]).toEqual([
      413,
      { code: TOO_LARGE.code, data: TOO_LARGE.data, error: 'BODY_TOO_LARGE' },
    ]);
  });

  test.runIf(process.platform === 'linux')('a gigabyte in chunks is not kept in memory', async () => {
    await using folder = await temporaryFolder();
    await using storage = await createStorage(folder.path);
    await makeSite(storage);
    const { child, url, ended } = spawnServer({ ...storage.settings, LOG_LEVEL: 'warn' });
    const at = await url;
    const person = await clientOf(at).join('王维');
    const peak = async () =>
      Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * KIB;
    const head = ['POST /api/file/uploadImage HTTP/1.1', 'Host: a', `Authorization: Beare ${person.token}`];
    const type = 'Content-Type: multipart/form-data; boundary=b';
    const mebibyte = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(1024 * KIB, 'a'),
      Buffer.from('\r\n'),
    ]);
    const send = async (mebibytes: number) => {
      const wire = await openWire(at);
      wire.socket.write([...head, type, 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
      Readable.from(Array.from({ length: mebibytes }, () => mebibyte)).pipe(wire.socket);
      return wire.closed;
    };
    // Warm-up, so that only the memory of the large upload is measured: the second upload still adds some 45
    // MB, the third nothing.
    for (let upload = 0; upload < 3; upload++) await send(64);
    const before = await peak();
    expect(await send(1024)).toMatch(/^HTTP\/1\.1 413 /);
    expect((await peak()) - before).toBeLessThan(50 * 1024 * KIB);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('an aborted upload writes nothing and affects no one', async () => {
    const before = done(await server.post('/api/statistics', {}, author.token));
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/json',
      'multipart/form-data; boundary=x',
    ]) {
      for (const path of ['/api/page/new', '/api/file/uploadImage']) {
        const wire = await openWire(server.url);
        wire.socket.write(
          `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Beare ${author.token}\r\nContent-Type: ${type}\r\nContent-Length: 500\r\n\r\ntitle=a&content=b&tags=c`,
        );
        wire.socket.destroy();
        await wire.closed;
      }
    }
    expect(done(await server.post('/api/statistics', {}, author.token))).toEqual(before);
  });
});

describe('requests', () => {
  /**
   * Sends more writes than a minute allows, each with a different X-Forwarded-For; returns the last response.
   */
  async function flood(server: TestServer, forwarded: (index: number) => string): Promise<Answer> {
    let last: Answer | undefined;
    for (let index = 0; index < 125; index++) {
      last = await server.send('/api/signout', {
        method: 'POST',
        headers: { 'X-Forwarded-For': forwarded(index) },
      });
    }
    return last as Answer;
  }
  const forged = (index: number) => `10.0.${index}.1, ${index}.2.3.4, [2001:db8::${index}]`;

  test.each([
    ['0', (index: number) => forged(index)],
    ['0', (index: number) => `198.51.100.${index}`],
    ['1', (index: number) => `${forged(index)}, 198.51.100.7`],
    ['2', (index: number) => `${forged(index)}, 198.51.100.7, 203.0.113.9`],
  ])(
    'beyond the limit are refused, with TRUST_PROXY=%s, however X-Forwarded-For is forged',
    async (hops, forwarded) => {
      const server = await openServer({ RATE_LIMIT: 'on', TRUST_PROXY: hops });
      try {
        const last = await flood(server, forwarded);
        expect(outcome(last)).toEqual(TOO_MANY);
        expect(last.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        expect((await server.send('/healthz')).status).toBe(200);
      } finally {
        await server.close();
      }
    },
  );

  test('behind a trusted proxy each reader has a limit of their own', async () => {
    const server = await openServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
    try {
      const last = await flood(server, () => '198.51.100.7');
      expect(last.status).toBe(429);
      const other = await server.send('/api/signout', {
        method: 'POST',
        headers: { 'X-Forwarded-For': '198.51.100.8' },
      });
      expect(other.status).toBe(200);
    } finally {
      await server.close();
    }
  });

  test('password guesses end after ten tries, after which the right one is refused alike', async () => {
    const server = await openServer({ RATE_LIMIT: 'on' });
    try {
      await server.join('王维');
      const guess = (password: string) => server.post('/api/signin', { username: '王维', password });
      for (let index = 0; index < 10; index++)
        expect((await guess(`wrong guess ${index}`)).data).toBe('用户名或密码错误');
      for (const password of ['another wrong one', PASSWORD]) {
        const answer = await guess(password);
        expect(outcome(answer)).toEqual(TOO_MANY);
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
    } finally {
      await server.close();
    }
  });

  test('an address may have 100 pages rendered in ten seconds; cached pages and other addresses are not limited', async () => {
    const server = await openServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
    try {
      const id = await server.write(await server.join('王维'));
      const ask = (path: string, address: string, headers: Record<string, string> = {}) =>
        server.send(path, { headers: { 'X-Forwarded-For': address, ...headers } });
      const kept = await ask('/home', '198.51.100.8');
      // Responses that are not cached: an unknown article, the path that bypasses the cache, a redirect, and
      // a page for signed-in readers.
      const uncached = [
        `/detail/${'0'.repeat(24)}`,
        `/detail/${id}/true`,
        '/nowhere',
        '/user/list',
        '/home/%ff',
      ];
      const askAll = () => Promise.all(uncached.map((path) => ask(path, '198.51.100.7')));
      for (let round = 0; round < 20; round++)
        expect((await askAll()).filter(({ status }) => status === 429)).toEqual([]);
      for (const { status, headers, text } of await askAll()) {
        expect([status, text]).toEqual([429, '操作过于频繁，请稍后再试\n']);
        expect(headers.get('retry-after')).toMatch(/^(?:[1-9]|10)$/);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      }
      expect((await ask('/home', '198.51.100.7')).status).toBe(200);
      const etag = kept.headers.get('etag') ?? '';
      expect((await ask('/home', '198.51.100.7', { 'If-None-Match': etag })).status).toBe(304);
      expect((await ask('/favicon.svg', '198.51.100.7')).status).toBe(200);
      expect((await ask('/healthz', '198.51.100.7')).status).toBe(200);
      expect((await ask('/tag/list', '198.51.100.8')).status).toBe(200);
      const call = await server.send('/api/tag/alltags', {
        method: 'POST',
        headers: { 'X-Forwarded-For': '198.51.100.7' },
      });
      expect(call.status).toBe(200);
    } finally {
      await server.close();
    }
  });

  test('200 concurrent read calls are allowed', async () => {
    const server = await openServer({ RATE_LIMIT: 'on' });
    try {
      const answers = await Promise.all(Array.from({ length: 200 }, () => server.post('/api/tag/alltags')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      await server.close();
    }
  });
});
