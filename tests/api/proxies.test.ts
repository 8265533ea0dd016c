import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIB } from '../../src/lib/contract/rules/units.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { HOST, makeCertificate, PROXIES, startProxy } from './proxies.ts';
import { clientOf, type Person, type Untyped } from './server.ts';
import { spawnSite, type ServerProcess, type SpawnedSite } from './spawn.ts';

interface Reply {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: Untyped;
}

interface Sent {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  localAddress?: string;
  /** Without TLS. */
  plain?: boolean;
}

/** Resolves the host of the example to this machine. */
const findHere: LookupFunction = (_name, { all }, found) => {
  if (all === true) found(null, [{ address: '127.0.0.1', family: 4 }]);
  else found(null, '127.0.0.1', 4);
};

for (const { name, isHere, configure, check } of PROXIES)
  describe.skipIf(!isHere)(`behind ${name} as its example has it`, () => {
    let site: SpawnedSite | undefined;
    let folder: string;
    let node: ServerProcess;
    let proxy: ChildProcess;
    let command: string[];
    let certificate: string;
    let author: Person;
    let ports: { http: number; https: number };

    function send(path: string, options: Sent = {}): Promise<Reply> {
      const { body, plain, ...rest } = options;
      const common = {
        host: '127.0.0.1',
        path,
        agent: false as const,
        ...rest,
        headers: { Host: HOST, ...rest.headers },
      };
      const sent = plain
        ? requestHttp({ ...common, port: ports.http })
        : requestHttps({ ...common, port: ports.https, servername: HOST, ca: certificate });
      return new Promise((resolve, reject) => {
        sent.once('error', reject).once('response', (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part)).once('error', reject);
          response.once('end', () => {
            const text = Buffer.concat(parts).toString();
            const json: Untyped = text.startsWith('{') ? JSON.parse(text) : {};
            resolve({ status: response.statusCode, headers: response.headers, text, json });
          });
        });
        sent.end(body);
      });
    }
    const call = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      });
    const asAuthor = () => ({ Authorization: `Beare ${author.token}` });
    const avatar = (bytes: number) =>
      call('/api/file/uploadAvatar', { imgData: 'x'.repeat(bytes) }, asAuthor());

    beforeAll(async () => {
      site = await spawnSite(1, { SITE_URL: `https://${HOST}`, METRICS: 'off' });
      folder = site.folder;
      node = site.nodes[0] as ServerProcess;
      const nodeUrl = await node.url;
      certificate = makeCertificate(folder);
      ports = { http: await freePort(), https: await freePort() };
      command = configure({ folder, node: new URL(nodeUrl).host, ...ports });
      proxy = startProxy(command, folder);
      await eventually(() => send('/home'));
      author = await clientOf(nodeUrl).join('王维');
    });
    afterAll(async () => {
      // Its output goes to the folder.
      if (proxy?.kill('SIGTERM')) await once(proxy, 'close');
      await site?.close();
    });

    test('the configuration is valid', () => {
      const output = check(command);
      expect(output).toMatch(/successful|Valid configuration|Syntax OK/);
      expect(output).not.toMatch(/\[warn\]|"level":"warn"/);
    });

    test('http leads to the same address with https', async () => {
      const { status, headers } = await send('/detail/x?page=2', { plain: true });
      expect([301, 308]).toContain(status);
      expect(headers['location']?.toString().replace(`:${ports.https}`, '')).toBe(
        `https://${HOST}/detail/x?page=2`,
      );
    });

    test('pages arrive compressed as the node sends them, and know the address of the site', async () => {
      const page = await send('/home');
      expect(page.status).toBe(200);
      expect(page.text).toContain(`https://${HOST}/home`);
      const { headers } = await send('/home', { headers: { 'Accept-Encoding': 'br' } });
      expect(headers['content-encoding']).toBe('br');
    });

    test('tags with special characters are reached', async () => {
      const tags = ['a/b', '100%', 'a%0ab', '../../api/x'];
      const fields = { title: '竹里馆', content: '独坐幽篁里', status: 'normal', secret: 'false' };
      const body = new URLSearchParams([...Object.entries(fields), ...tags.map((tag) => ['tags[]', tag])]);
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...asAuthor() };
      const { json } = await send('/api/page/new', { method: 'POST', body: body.toString(), headers });
      const { text } = await send(`/detail/${json.data.id}`);
      const links = Array.from(text.matchAll(/href="([^"]*)" class="tag-link"/g), ([, link]) => link ?? '');
      expect(links).toHaveLength(tags.length);
      for (const link of links)
        expect([link, (await send(link)).text.includes('竹里馆')]).toEqual([link, true]);
    });

    test('the largest body of the API passes, and a larger one is refused', async () => {
      expect((await avatar(31 * MIB)).json.data).toBe('无法识别的图片，请使用 PNG、JPEG 或 WebP 格式');
      const large = await avatar(32 * MIB);
      expect(large.status).toBe(413);
      expect(large.json).toMatchObject({ error: 'BODY_TOO_LARGE', data: '提交的内容过大' });
    });

    test('long headers reach the node, and longer ones are refused as the node does it', async () => {
      const list = (bytes: number) =>
        call('/api/tag/taglist', { page: '1', pageSize: '10' }, { 'X-Long': 'x'.repeat(bytes) });
      expect((await list(10_000)).json).toMatchObject({ code: 'OK' });
      const { status, text } = await list(20_000);
      expect([status, text]).toEqual([431, expect.stringContaining('请求头过大')]);
    });

    test('a websocket reaches the node, and its token is not logged', async () => {
      const counts: number[] = [];
      const socket = io(`https://${HOST}:${ports.https}`, {
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
        query: { token: author.token },
        agent: new Agent({ ca: certificate, servername: HOST, lookup: findHere }),
      } as unknown as Parameters<typeof io>[1]);
      socket.on('unread-comment', (count: number) => counts.push(count));
      await eventually(() => expect(counts).toEqual([0]));
      socket.disconnect();
      await send('/home?secret=5f3a');
      const logs = () =>
        readdirSync(folder)
          .filter((file) => file.endsWith('.log'))
          .map((file) => readFileSync(join(folder, file), 'utf8'))
          .join('');
      await eventually(() => expect(logs()).toContain('/home'));
      expect(logs()).not.toMatch(/eyJ|5f3a/);
    });

    test('addresses for the machine itself are not found', async () => {
      for (const path of ['/healthz', '/metrics', '/healthz?verbose', '/%6detrics', '//metrics']) {
        const { status, text } = await send(path);
        expect([path, text.includes('moye_') || text === 'ok\n']).toEqual([path, false]);
        expect([path, status === 404 || status === 308 || status === 301]).toEqual([path, true]);
      }
    });

    test('limits use the address that the proxy saw, whatever the client claims', async () => {
      const guess = (headers?: Record<string, string>) =>
        call('/api/signin', { username: '王维', password: 'wrong-password' }, headers);
      const statuses: (number | undefined)[] = [];
      for (let count = 0; count < 12; count++) statuses.push((await guess()).status);
      expect(statuses.at(-1)).toBe(429);
      for (const forged of ['203.0.113.9', '127.0.0.2', '10.0.0.1, 203.0.113.9'])
        expect((await guess({ 'X-Forwarded-For': forged })).status).toBe(429);
      const { status } = await send('/api/signin', {
        method: 'POST',
        body: 'username=王维&password=wrong-password',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        localAddress: '127.0.0.2',
      });
      expect(status).toBe(200);
    });

    test('without a node there is a page for readers and an envelope for calls', async () => {
      node.child.kill('SIGKILL');
      await once(node.child, 'close').catch(() => undefined);
      const page = await send('/home');
      expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.text).toContain('服务正在恢复');
      const { status, headers, json } = await call('/api/tag/alltags', {});
      expect([status, headers['retry-after'], json.error]).toEqual([503, '5', 'UNAVAILABLE']);
    });
  });
