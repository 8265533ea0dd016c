import { cp, glob, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { freePort } from '../free-port.ts';
import { CORPUS, hasCorpus } from '../engines/import-stage.ts';
import { amount, randomFrom, SEED } from '../trial.ts';
import { authorOf, run, SCRIPT } from './publish-stage.ts';
import { done, openServer, type TestServer } from './server.ts';

const MOYE = fileURLToPath(new URL('../../src/lib/cli/moye.ts', import.meta.url));
const FILES = 24;
const KILLS = amount('PUBLISH_KILLS', 5, 20);
const CORPUS_FILES = amount('PUBLISH_FILES', 12, 430);

let server: TestServer;
let place: string;
beforeAll(async () => {
  server = await openServer();
  place = await mkdtemp(join(tmpdir(), 'moye-publish-'));
});
afterAll(async () => {
  await server?.close();
  await rm(place, { recursive: true, force: true });
});

/** A folder of articles that refer to each other and to pictures, and a token of a new author. */
async function stage(name: string) {
  const { person, token } = await authorOf(server, name);
  const folder = join(place, name);
  await mkdir(join(folder, '文', '图'), { recursive: true });
  for (let at = 0; at < FILES; at++) {
    const next = `[下一篇](${(at + 1) % FILES}.md)`;
    const text = `---\ntitle: 第 ${at} 篇\ntags: [诗]\n---\n\n${next}\n\n![图](图/${at % 3}.png)\n`;
    await writeFile(join(folder, '文', `${at}.md`), text);
  }
  for (const at of [0, 1, 2])
    await writeFile(
      join(folder, '文', '图', `${at}.png`),
      await twoColours(20 + at, 20)
        .png()
        .toBuffer(),
    );
  return { folder, person, token };
}

/** Sum of the new files in a summary; many at once wait for staff. */
const createdIn = (summary: string): number =>
  [...summary.matchAll(/(?:已公开|等待审核)（新建） (\d+)/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );

const bytesOn = async (token: string, path: string) => {
  const headers = { Authorization: `Bearer ${token}` };
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const response = await fetch(`${server.url}/api/articles/by-path/${encoded}`, { headers });
  return Buffer.from(await response.arrayBuffer());
};

test('a folder is published, comes back byte for byte, and a second run uploads nothing', async () => {
  const { folder, token, person } = await stage('一');
  expect((await run(server, folder, token, ['--dry-run'])).summary).toBe(`会公开（新建） ${FILES}`);
  const first = await run(server, folder, token);
  expect([first.code, createdIn(first.summary)]).toEqual([0, FILES]);
  expect(first.summary).toMatch(/（更新） \d+/);
  for (const name of await readdir(join(folder, '文')))
    if (name.endsWith('.md'))
      expect(await bytesOn(token, `文/${name}`)).toEqual(await readFile(join(folder, '文', name)));
  const own = done(await server.post('/api/page/limitpagelist', { pageSize: 100 }, person.token));
  expect(own.total).toBe(FILES);
  expect((await run(server, folder, token)).summary).toBe(`没有变化 ${FILES}`);
});

test(
  'a run that is killed at any moment is completed by the next, with nothing twice',
  { timeout: TEST_MS + 5_000 * KILLS },
  async () => {
    const { folder, token, person } = await stage('二');
    const random = randomFrom(SEED);
    for (let kill = 0; kill < KILLS; kill++)
      await run(server, folder, token, [], { killAt: Math.floor(random() * 2 * FILES) });
    expect((await run(server, folder, token)).code).toBe(0);
    expect((await run(server, folder, token)).summary).toBe(`没有变化 ${FILES}`);
    const own = done(await server.post('/api/page/limitpagelist', { pageSize: 100 }, person.token));
    expect(own.total).toBe(FILES);
    expect(done(await server.post('/api/file/pictures', { pageSize: 100 }, person.token)).total).toBe(3);
  },
);

test('two folders of one author conflict on one file, and nothing is lost', async () => {
  const { folder, token } = await stage('三');
  await run(server, folder, token);
  const other = `${folder}别处`;
  await cp(folder, other, { recursive: true });
  const append = async (where: string, words: string) =>
    writeFile(join(where, '文', '0.md'), `${await readFile(join(folder, '文', '1.md'), 'utf8')}${words}\n`);
  await append(other, '别处的');
  await append(folder, '这里的');
  expect((await run(server, folder, token)).code).toBe(0);
  const refused = await run(server, other, token);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('文/0.md  冲突：网站上有别的改动，没有覆盖');
  expect(String(await bytesOn(token, '文/0.md'))).toContain('这里的');
  await rm(join(folder, '文', '5.md'));
  expect((await run(server, folder, token, ['--delete'])).output).toContain('文/5.md  已移到回收站');
});

test('a bad token, a site that is none, and a missing folder end with one sentence', async () => {
  const { folder, token } = await stage('四');
  const bad = await run(server, folder, `${token.slice(0, -1)}!`);
  expect([bad.code, bad.output.trim()]).toEqual([1, '访问令牌不完整，请重新复制']);
  expect((await run(server, join(place, '没有'), token)).output).toContain('打不开文件夹');
  const { code, output } = await run(server, folder, '', []);
  expect([code, output.includes('用法')]).toEqual([2, true]);
  expect((await run(server, folder, token, ['--bogus'])).code).toBe(2);
});

test.each([
  [429, 'TOO_MANY_REQUESTS'],
  [503, 'UNAVAILABLE'],
  // A rendering that a busy machine did not finish in time.
  [200, 'CONTENT_TOO_COMPLEX'],
] as const)('a file that a busy site refuses with %i is sent again', async (status, error) => {
  const { folder, token } = await stage(`忙${status}`);
  let refused = 0;
  const front = new Hono()
    .put('/api/articles/by-path/*', (context, next) => {
      if (refused === 2) return next();
      refused++;
      return context.json({ code: 'ERROR', data: '服务器正忙', error }, status, { 'Retry-After': '0' });
    })
    .all('*', ({ req }) => proxy(server.url + new URL(req.url).pathname, req));
  const port = await freePort();
  const listener = serve({ fetch: front.fetch, hostname: '127.0.0.1', port });
  onTestFinished(() => void listener.close());
  const { code, summary } = await run(server, folder, token, ['--site', `http://127.0.0.1:${port}`]);
  expect([code, createdIn(summary), refused]).toEqual([0, FILES, 2]);
});

test('a folder without Markdown deletes nothing on the site', async () => {
  const { folder, token } = await stage('五');
  await run(server, folder, token);
  const wrong = join(place, '空');
  await mkdir(wrong);
  const { code, output } = await run(server, wrong, token, ['--delete']);
  expect([code, output]).toEqual([1, expect.stringContaining('没有删除网站上的文章')]);
  expect((await run(server, folder, token)).summary).toBe(`没有变化 ${FILES}`);
});

test('runs as a link to the file, and as a command of the product', async () => {
  const { folder, token } = await stage('六');
  const link = join(place, 'publish.mjs');
  await symlink(SCRIPT, link);
  expect((await run(server, folder, token, ['--dry-run'], { script: [link, folder] })).summary).toBe(
    `会公开（新建） ${FILES}`,
  );
  const command = [MOYE, 'publish', folder];
  expect((await run(server, folder, token, ['--dry-run'], { script: command })).summary).toBe(
    `会公开（新建） ${FILES}`,
  );
  expect((await run(server, folder, 'x', [], { script: command })).code).toBe(1);
});

test.skipIf(!hasCorpus)(
  'real articles come back byte for byte, and a second run uploads nothing',
  { timeout: TEST_MS + 2_000 * CORPUS_FILES },
  async () => {
    const { token } = await authorOf(server, '真');
    const folder = join(place, '真');
    const all = await Array.fromAsync(glob('**/*.md', { cwd: CORPUS }));
    const paths = all.toSorted().slice(0, CORPUS_FILES);
    for (const path of paths) await cp(join(CORPUS, path), join(folder, path));
    const first = await run(server, folder, token);
    expect([first.code, first.output.match(/^.*(?:没有发布|冲突).*$/gm)]).toEqual([0, null]);
    for (const path of paths) {
      expect([path, await bytesOn(token, path)]).toEqual([path, await readFile(join(CORPUS, path))]);
    }
    expect((await run(server, folder, token)).summary).toBe(`没有变化 ${paths.length}`);
  },
);

test('a vault of Obsidian is published with its links, pictures, marks and comments', async () => {
  const { token, person } = await authorOf(server, '库');
  const folder = join(place, '库');
  const files = {
    '.obsidian/app.json': '{}',
    '笔记/甲.md':
      '---\ntags: [诗]\n---\n见 [[乙|那一篇]]。\n\n![[山.png]]\n\n==要紧== %%不公开%%\n\n> [!tip] 提示\n> 字\n',
    '乙.md': '---\ntags: [诗]\n---\n回到 [[甲]]。\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await mkdir(join(folder, '附件'));
  await writeFile(join(folder, '附件', '山.png'), await twoColours(31, 20).png().toBuffer());
  const first = await run(server, folder, token);
  expect([first.code, first.output.match(/没有找到|找不到/)]).toEqual([0, null]);
  const { result } = done(await server.post('/api/page/limitpagelist', { pageSize: 10 }, person.token));
  const idOf = (title: string) => result.find((each: { title: string }) => each.title === title)._id;
  const contentOf = async (title: string) =>
    done(await server.post('/api/page/editdetail', { id: idOf(title) }, person.token)).content;
  const content = await contentOf('甲');
  expect(content).toContain(`[那一篇](/detail/${idOf('乙')})`);
  expect(content).toMatch(/!\[\]\(\/api\/file\/[\w-]+\.\w+\)/);
  expect(content).toContain('<mark>要紧</mark>');
  expect(content).not.toContain('不公开');
  expect(await contentOf('乙')).toContain(`[甲](/detail/${idOf('甲')})`);
  expect(String(await bytesOn(token, '笔记/甲.md'))).toBe(files['笔记/甲.md']);
  expect((await run(server, folder, token)).summary).toBe('没有变化 2');
});
