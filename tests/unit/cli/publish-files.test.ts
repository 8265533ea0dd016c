import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let site: { url: string; articles: Map<string, string>; requests: string[]; answer: Answer | undefined };
let close: () => void;
type Answer = (path: string, response: ServerResponse) => boolean;

const bodyOf = async (request: IncomingMessage) => {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  return bytes;
};

/** A site that stores articles by path, as CONTRACT.md describes it. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname).slice(
    '/api/articles/by-path/'.length,
  );
  await bodyOf(request);
  site.requests.push(`${request.method} ${path}`);
  if (path !== '' && site.answer?.(path, response)) return;
  if (request.method === 'DELETE') site.articles.delete(path);
  if (request.method === 'PUT') site.articles.set(path, '0'.repeat(64));
  const files = [...site.articles].map(([name, digest]) => ({
    path: name,
    digest,
    kind: 'article',
    state: 'same',
    is_stale: false,
  }));
  const data =
    path === '' ? { files, takes: ['plain', 'dry_run'] } : { outcome: 'created', visibility: 'public' };
  response.end(JSON.stringify({ code: 'OK', data }));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moye-publish-files-'));
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  site = { url, articles: new Map(), requests: [], answer: undefined };
  close = () => (server.closeAllConnections(), server.close());
  await writeFile(join(folder, 'good.md'), '---\ntitle: 好\n---\n\n好\n');
});
afterEach(async () => {
  close();
  await rm(folder, { recursive: true, force: true });
});

const at = (...names: string[]) => join(folder, ...names);
const CLIENT = fileURLToPath(new URL('../../../tools/moye-publish.mjs', import.meta.url));
async function publish(...words: string[]) {
  const env = { PATH: process.env['PATH'], MOYE_TOKEN: 'moye_pat_x' };
  const child = spawn(process.execPath, [CLIENT, folder, '--site', site.url, ...words], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, summary: output.trim().split('\n').at(-1) };
}
const known = (...paths: string[]) => {
  for (const path of paths) site.articles.set(path, '1'.repeat(64));
};

test('links, pipes and folders in place of files are named, and their articles are not deleted', async () => {
  await writeFile(at('target.txt'), 'x');
  await symlink(at('target.txt'), at('link.md'));
  await symlink(at('nowhere'), at('broken.md'));
  await mkdir(at('真'));
  await symlink(at('真'), at('文'));
  await mkdir(at('folder.md'));
  await promisify(execFile)('mkfifo', [at('pipe.md')]);
  known('link.md', 'broken.md', '文/一.md', 'folder.md', 'pipe.md', 'gone.md', 'gone/二.md');
  const { code, output } = await publish('--delete');
  expect(output).toContain('link.md  跳过：符号链接，没有跟随');
  expect(output).toContain('broken.md  跳过：符号链接，没有跟随');
  expect(output).toContain('文  跳过：符号链接，没有跟随');
  expect(output).toContain('pipe.md  跳过：不是普通文件');
  expect(output).toContain('folder.md  没有删除：本地还有这个文件');
  expect(site.requests.filter((each) => each.startsWith('DELETE'))).toEqual([
    'DELETE gone.md',
    'DELETE gone/二.md',
  ]);
  expect(site.requests).toContain('PUT good.md');
  expect(code).toBe(1);
});

test('files too large to be articles are not read, and the others are published', async () => {
  for (const [name, bytes] of [
    ['a-text.md', 1_000_000_000],
    ['b-over-2-gb.md', 2_200_000_000],
  ] as const) {
    await writeFile(at(name), '---\ntitle: 大\n---\n');
    await truncate(at(name), bytes);
  }
  known('b-over-2-gb.md');
  const { code, output } = await publish('--delete');
  expect(output).toContain('a-text.md  没有发布：文件太大（954 MB，最多 2 MB）');
  expect(output).toContain('b-over-2-gb.md  没有发布：文件太大（2099 MB，最多 2 MB）');
  expect(site.requests.slice(1)).toEqual(['GET ', 'PUT good.md', 'GET ']);
  expect(code).toBe(1);
});

test.each(['null', '7', '"x"', '[1]', '{"good.md":null}', '{', ''])(
  'settings of the form %s are those of a new folder',
  async (text) => {
    await writeFile(at('.moye-publish.json'), text);
    expect(await publish()).toMatchObject({ code: 0, summary: '已公开（新建） 1' });
  },
);

test('a folder in place of the settings does not end the run', async () => {
  await mkdir(at('.moye-publish.json'));
  await writeFile(at('other.md'), '---\ntitle: 别的\n---\n\n别的\n');
  const { code, output } = await publish();
  expect(site.requests).toEqual(expect.arrayContaining(['PUT good.md', 'PUT other.md']));
  expect(output).toContain('.moye-publish.json  写不了');
  expect([code, output.includes('    at ')]).toEqual([1, false]);
});

test('a file that the site or a proxy refuses does not end the run', async () => {
  await writeFile(at('bad.md'), '---\ntitle: 坏\n---\n\n坏\n');
  site.answer = (path, response) => {
    if (path === 'bad.md') response.writeHead(413, { 'Content-Type': 'text/html' }).end('<h1>413</h1>');
    if (path === 'gone.md') response.end('{"code":"ERROR","data":"这篇不能删除"}');
    return path === 'bad.md' || path === 'gone.md';
  };
  known('gone.md', 'later.md');
  const { code, output } = await publish('--delete');
  expect(output).toContain('bad.md  没有发布：文件太大，网站不收');
  expect(output).toContain('gone.md  没有删除：这篇不能删除');
  expect(site.requests).toEqual(expect.arrayContaining(['PUT good.md', 'DELETE later.md']));
  expect(code).toBe(1);
});

test('a file that is removed while the client runs is named, and not deleted from the site', async () => {
  await writeFile(at('last.md'), '---\ntitle: 末\n---\n\n末\n');
  let moved: Promise<void> | undefined;
  site.answer = (path, response) => {
    if (path !== 'good.md') return false;
    moved = rename(at('last.md'), at('other.txt'));
    void moved.then(() =>
      response.end('{"code":"OK","data":{"outcome":"created","visibility":"public","notes":[]}}'),
    );
    return true;
  };
  known('last.md');
  const { output } = await publish('--delete');
  await moved;
  expect(output).toContain('last.md  没有发布：读不了（ENOENT）');
  expect(site.articles.has('last.md')).toBe(true);
});
