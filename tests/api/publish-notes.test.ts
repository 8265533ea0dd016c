import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { freePort } from '../free-port.ts';
import { amount } from '../trial.ts';
import { authorOf, run } from './publish-stage.ts';
import { done, openServer, type TestServer } from './server.ts';

const NOTES = amount('PUBLISH_NOTES', 100, 1_000);

let server: TestServer;
let place: string;
beforeAll(async () => {
  server = await openServer();
  place = await mkdtemp(join(tmpdir(), 'moye-notes-'));
});
afterAll(async () => {
  await server?.close();
  await rm(place, { recursive: true, force: true });
});

/** A folder with these files, and a token of a new author. */
async function notes(name: string, files: Record<string, string>) {
  const { token, person } = await authorOf(server, name);
  const folder = join(place, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const articles = async () => {
    const of = async (status: string) =>
      done(await server.post('/api/page/limitpagelist', { pageSize: 100, status }, person.token)).result;
    return [...(await of('normal')), ...(await of('draft'))] as {
      _id: string;
      title: string;
      status: string;
    }[];
  };
  const states = async () =>
    Object.fromEntries((await articles()).map(({ title, status }) => [title, status]));
  return { folder, token, person, articles, states };
}

const FRONT = '---\ntags: [诗]\n---\n';

describe('a folder with notes', () => {
  const FILES_OF = {
    '文章.md': `${FRONT}正文\n`,
    'BOM.md': `\ufeff${FRONT}正文\n`,
    'TODO.md': '- 没有做的事\n',
    '空的.md': '---\n---\n空的信息\n',
    '深/处/想法.md': '没有想好\n',
    '深/README.md': '文件夹的说明\n',
    '草稿.md': '---\ntags: [诗]\ndraft: true\n---\n没有写完\n',
    '私密.md': '---\ntags: [诗]\nsecret: true\n---\n自己看\n',
    'README.md': '# 说明\n',
    'readme-EN.md': '# Readme\n',
    'License.MD': '许可\n',
    'CHANGELOG.md': '改动\n',
    'contributing.md': '贡献\n',
    'AGENTS.md': '指示\n',
    '深/CLAUDE.md': '指示\n',
    '.藏.md': `${FRONT}点开头\n`,
    '.obsidian/a.md': `${FRONT}设置\n`,
    '图.excalidraw.md': `${FRONT}绘图\n`,
  };

  test('publishes files with front matter alone, and says so for each file, in a dry run first', async () => {
    const { folder, token, states } = await notes('笔记', FILES_OF);
    const dry = await run(server, folder, token, ['--dry-run']);
    expect(await states()).toEqual({});
    const { output, summary, code } = await run(server, folder, token);
    expect(code).toBe(0);
    const lines = output.split('\n').filter((line) => !line.includes('    ') && line.includes('  '));
    expect(dry.output.split('\n').filter((line) => /  会|  跳过/.test(line))).toEqual(
      lines
        .filter((line) => !line.includes('（更新）'))
        .map((line) => line.replace('  已公开', '  会公开').replace('  存为', '  会存为')),
    );
    expect(lines.toSorted()).toEqual(
      [
        '文章.md  已公开（新建）',
        'BOM.md  已公开（新建）',
        'TODO.md  存为草稿（新建）',
        '空的.md  存为草稿（新建）',
        '深/处/想法.md  存为草稿（新建）',
        '深/README.md  存为草稿（新建）',
        '草稿.md  存为草稿（新建）',
        '私密.md  存为私密（新建）',
        ...['README.md', 'readme-EN.md', 'License.MD', 'CHANGELOG.md', 'contributing.md', 'AGENTS.md'].map(
          (name) => `${name}  跳过：项目的说明文件`,
        ),
        '深/CLAUDE.md  跳过：项目的说明文件',
        '.藏.md  跳过：文件名以点开头',
        '图.excalidraw.md  跳过：Excalidraw 的绘图',
      ].toSorted(),
    );
    expect(summary).toContain('跳过：项目的说明文件 7');
    expect(await states()).toEqual({
      文章: 'normal',
      BOM: 'normal',
      TODO: 'draft',
      空的: 'draft',
      想法: 'draft',
      README: 'draft',
      草稿: 'draft',
      私密: 'normal',
    });
    expect((await run(server, folder, token)).output).toContain('TODO.md  没有变化');
  });

  test('is published as a whole with --publish-all, also after a run that kept drafts', async () => {
    const { folder, token, states } = await notes('全部', FILES_OF);
    await run(server, folder, token);
    const { output } = await run(server, folder, token, ['--publish-all']);
    expect(output).toContain('TODO.md  已公开（更新）');
    expect(output).toContain('README.md  跳过');
    expect(await states()).toMatchObject({ TODO: 'normal', 想法: 'normal', 草稿: 'draft' });
    expect((await run(server, folder, token, ['--publish-all'])).output).not.toContain('（更新）');
  });

  test('keeps published what its author published on the site', async () => {
    const { folder, token, person, articles, states } = await notes('站上', { '想法.md': '没有想好\n' });
    await run(server, folder, token);
    const id = (await articles())[0]?._id ?? '';
    const fields = {
      id,
      title: '想法',
      tags: ['诗'],
      content: '没有想好',
      status: 'normal',
      secret: 'false',
    };
    done(await server.post('/api/page/edit', fields, person.token));
    await writeFile(join(folder, '想法.md'), '想好了\n');
    expect((await run(server, folder, token)).output).toContain('想法.md  冲突');
    expect((await run(server, folder, token, ['--force'])).output).toContain('想法.md  已公开（更新）');
    expect(await states()).toEqual({ 想法: 'normal' });
  });

  test('keeps syncing a README that was published before', async () => {
    const { folder, token, states } = await notes('旧的', { 'README.md': `${FRONT}说明\n` });
    await run(server, folder, token);
    await writeFile(join(folder, 'README.md'), '新的说明\n');
    expect((await run(server, folder, token)).output).toContain('README.md  已公开（更新）');
    expect(Object.values(await states())).toEqual(['normal']);
  });

  test('is not sent to a site that would publish all of it', async () => {
    const { folder, token, states } = await notes('旧站', FILES_OF);
    const front = new Hono()
      .get('/api/articles/by-path', (context) => context.json({ code: 'OK', data: { files: [] } }))
      .all('*', ({ req }) => proxy(server.url + new URL(req.url).pathname, req));
    const port = await freePort();
    const listener = serve({ fetch: front.fetch, hostname: '127.0.0.1', port });
    onTestFinished(() => void listener.close());
    const { code, output } = await run(server, folder, token, ['--site', `http://127.0.0.1:${port}`]);
    expect([code, output]).toEqual([1, expect.stringContaining('请先升级网站')]);
    expect(await states()).toEqual({});
  });

  test('of many files stays unpublished', { timeout: TEST_MS + 200 * NOTES }, async () => {
    const names = Array.from({ length: NOTES }, (_, at) => `记/${at % 10}/${at}.md`);
    const { folder, token, person } = await notes(
      '许多',
      Object.fromEntries(names.map((name, at) => [name, `第 ${at} 条\n`])),
    );
    const { summary } = await run(server, folder, token);
    expect(summary).toBe(`存为草稿（新建） ${NOTES}`);
    const totalOf = async (status: string) =>
      done(await server.post('/api/page/limitpagelist', { pageSize: 1, status }, person.token)).total;
    expect([await totalOf('draft'), await totalOf('normal')]).toEqual([NOTES, 0]);
    expect((await run(server, folder, token)).summary).toBe(`没有变化 ${NOTES}`);
  });
});

test('the help says what becomes of files without front matter', async () => {
  const { code, output } = await run(server, place, '', ['--help']);
  expect([code, output]).toEqual([0, expect.stringContaining('没有 front matter 的文件存为草稿')]);
});
