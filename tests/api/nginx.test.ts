import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { clientOf, done, outcome, refused, type Person } from './server.ts';
import { spawnSite, type ServerProcess, type SpawnedSite } from './spawn.ts';
import { MIB } from '../../src/lib/contract/rules/units.ts';
import { freePort } from '../free-port.ts';

const CONF = fileURLToPath(new URL('../../deploy/nginx/', import.meta.url));
const hasNginx = process.platform === 'linux' && spawnSync('nginx', ['-v']).status === 0;

/**
 * Writes deploy/nginx/compose.conf with replaced addresses, wrapped in a main configuration. Returns the path
 * of the latter.
 */
async function configure(folder: string, port: number, nodes: readonly string[]): Promise<string> {
  const text = await readFile(join(CONF, 'compose.conf'), 'utf8');
  const site = text
    .replace('server node-a:4321', `server ${nodes[0]}`)
    .replace('server node-b:4321', `server ${nodes[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/etc/nginx/snippets/', CONF)
    .replace('/var/log/nginx/access.log', join(folder, 'access.log'));
  await writeFile(join(folder, 'moye.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = join(folder, 'nginx.conf');
  await writeFile(
    main,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${join(folder, 'pid')};
    error_log ${join(folder, 'error.log')}; events {}
    http { ${temporary.join(' ')} include ${join(folder, 'moye.conf')}; }`,
  );
  return main;
}

/** Sends a wrong sign-in from another address of this machine; resolves to the status. */
function guessFrom(localAddress: string, url: string, forged?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(forged === undefined ? {} : { 'X-Forwarded-For': forged }),
    };
    const sent = request(`${url}/api/signin`, { method: 'POST', localAddress, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end('username=王维&password=wrong-password');
  });
}

describe.skipIf(!hasNginx)('behind nginx as compose.yaml starts it', () => {
  let behind: SpawnedSite | undefined;
  let nodes: ServerProcess[];
  let nginx: ChildProcess;
  let url: string;
  let site: ReturnType<typeof clientOf>;
  let author: Person;
  let conf: string;
  const logOf = (name: string) => readFile(join(behind?.folder ?? '', name), 'utf8');
  beforeAll(async () => {
    behind = await spawnSite(2);
    nodes = behind.nodes;
    const addresses = await Promise.all(nodes.map(async (node) => new URL(await node.url).host));
    const port = await freePort();
    conf = await configure(behind.folder, port, addresses);
    nginx = spawn('nginx', ['-c', conf], { stdio: 'ignore' });
    url = `http://127.0.0.1:${port}`;
    site = clientOf(url);
    await eventually(() => fetch(`${url}/home`));
    author = await site.join('王维');
  });
  afterAll(async () => {
    nginx?.kill('SIGTERM');
    await behind?.close();
  });

  test('the configuration is valid', () => {
    const { stderr } = spawnSync('nginx', ['-t', '-c', conf], { encoding: 'utf8' });
    expect(stderr).toContain('test is successful');
    expect(stderr).not.toContain('[warn]');
  });

  test('both nodes serve pages and calls, and see each other’s writes', async () => {
    const id = await site.write(author, { title: '鹿柴' });
    for (let round = 0; round < 6; round++) {
      expect((await site.send(`/detail/${id}`)).text).toContain('鹿柴');
      expect(done(await site.post('/api/page/detail', { id })).title).toBe('鹿柴');
    }
    const log = await logOf('access.log');
    for (const node of nodes) expect(log).toContain(new URL(await node.url).host);
    const { headers } = await site.send('/changelog');
    await expect.poll(() => logOf('access.log')).toContain(` ${headers.get('x-request-id')}\n`);
  });

  test('tags with special characters are reached through the proxy', async () => {
    const tags = ['..', '../../api/x', 'a%0ab', '%2e%2e%2f', 'a/b', '100%'];
    const id = await site.write(author, { title: '竹里馆', tags });
    const { text } = await site.send(`/detail/${id}`);
    const links = Array.from(text.matchAll(/href="([^"]*)" class="tag-link"/g), ([, link]) => link ?? '');
    expect(links).toHaveLength(tags.length);
    for (const link of links) expect((await site.send(link)).text).toContain('竹里馆');
  });

  test('both nodes serve a picture and an avatar, whichever received them', async () => {
    const picture = await twoColours(40, 30).png().toBuffer();
    const form = new FormData();
    form.set('file', new File([new Uint8Array(picture)], 'a.png'));
    const headers = { Authorization: `Beare ${author.token}` };
    const { url: image } = done(
      await site.send('/api/file/uploadImage', { method: 'POST', body: form, headers }),
    );
    const imgData = `data:image/png;base64,${picture.toString('base64')}`;
    done(await site.post('/api/file/uploadAvatar', { imgData }, author.token));
    for (const path of [image, '/api/file/avatar/user?username=王维']) {
      const answers = await Promise.all(nodes.map(async (node) => fetch((await node.url) + path)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const [one, other] = await Promise.all(answers.map((answer) => answer.arrayBuffer()));
      expect(one).toEqual(other);
    }
  });

  test('compressed responses pass through unchanged', async () => {
    const response = await fetch(`${url}/home`, { headers: { 'Accept-Encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.text()).toContain('墨页');
  });

  test('a websocket reaches a node, and its token is not logged', async () => {
    const counts: number[] = [];
    const socket = io(url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token: author.token },
    });
    socket.on('unread-comment', (count: number) => counts.push(count));
    await eventually(() => expect(counts).toEqual([0]));
    const id = await site.write(author);
    expect(socket.connected).toBe(true);
    socket.disconnect();
    const logs = await Promise.all(['access.log', 'error.log'].map(logOf));
    expect(logs[0]).toContain('/api/page/new');
    expect(logs.join('')).not.toContain('eyJ');
    expect(id).toMatch(/^[0-9a-f]{24}$/);
  });

  test('local-only URLs are not found from outside', async () => {
    for (const path of ['/healthz', '/metrics', '/healthz?x=1', '/%6detrics', '//metrics']) {
      const { status, text } = await site.send(path);
      expect([path, text.includes('moye_page_cache') || text === 'ok\n']).toEqual([path, false]);
      expect([path, status < 400 && status !== 302]).toEqual([path, false]);
    }
  });

  test('bodies up to the API’s limit pass, larger ones are refused in the envelope', async () => {
    const avatar = await site.post('/api/file/uploadAvatar', { imgData: 'x'.repeat(31 * MIB) }, author.token);
    expect(outcome(avatar)).toEqual(refused('无法识别的图片，请使用 PNG、JPEG 或 WebP 格式'));
    const large = await site.post('/api/file/uploadAvatar', { imgData: 'x'.repeat(32 * MIB) }, author.token);
    expect(outcome(large)).toEqual(refused('提交的内容过大', 413));
  });

  test('limits use the address that nginx saw, whatever the client claims', async () => {
    const statuses: (number | undefined)[] = [];
    // Ten guesses per address and name are allowed, possibly on each node.
    for (let count = 0; count < 22; count++) statuses.push(await guessFrom('127.0.0.1', url));
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(statuses.slice(-2)).toEqual([429, 429]);
    for (const forged of ['203.0.113.9', '127.0.0.2', '10.0.0.1, 203.0.113.9']) {
      expect(await guessFrom('127.0.0.1', url, forged)).toBe(429);
    }
    expect(await guessFrom('127.0.0.2', url)).toBe(200);
  });

  test('with one node killed the other serves; with both killed there is an error page and an envelope', async () => {
    const [first, second] = nodes;
    first?.child.kill('SIGKILL');
    await first?.ended;
    for (let round = 0; round < 6; round++) {
      expect((await site.send('/home')).status).toBe(200);
      expect((await site.post('/api/tag/alltags')).status).toBe(200);
    }
    second?.child.kill('SIGKILL');
    await second?.ended;
    const page = await site.send('/home');
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('服务正在恢复');
    const call = await site.post('/api/tag/alltags');
    expect(outcome(call)).toEqual(refused('服务暂时不可用，请稍后再试', 503));
    expect(call.headers.get('retry-after')).toBe('5');
  });
});
