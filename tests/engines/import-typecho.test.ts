import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { importSite } from '../../src/lib/importers/site/import-site.ts';
import type { SiteReport } from '../../src/lib/importers/site/site-report.ts';
import { openTypecho } from '../../src/lib/importers/typecho/typecho-site.ts';
import { runMoye, spawnMoye } from './import-command.ts';
import { openSiteImportStage, type SiteImportStage } from './site-import-stage.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/import/typecho/', import.meta.url));
const DUMP = `${FIXTURE}dump.sql`;
const UPLOADS = `${FIXTURE}uploads`;

let place: string;
beforeAll(() => (place = mkdtempSync(join(tmpdir(), 'moye-typecho-'))));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let stage: SiteImportStage;
beforeEach(async () => {
  stage = await openSiteImportStage();
});
afterEach(() => stage?.close());

async function runImport(isDryRun = false): Promise<SiteReport> {
  const site = await openTypecho(DUMP, { origins: [], uploads: UPLOADS, pages: false });
  try {
    return await importSite(site, stage.app.services, { isDryRun, mergesUsers: false, map: new Map() });
  } finally {
    await site.close();
  }
}

const TABLES = [
  'users',
  'articles',
  'comments',
  'withheld_comments',
  'tags',
  'files',
  'imports',
  'former_paths',
];
const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async (table) => [table, await stage.count(`select count(*) from ${table}`)]),
    ),
  ) as Record<string, number>;
const idOf = async (title: string) =>
  String((await stage.rows(`select id from articles where title = '${title}'`))[0]?.['id']);

test('a Typecho site is imported completely: links, pictures, covers, threads, old URLs', async () => {
  const report = await runImport();
  expect(report.articles).toMatchObject({ created: 9, failed: 0 });
  expect(report.comments).toEqual({ created: 4, held: 1, known: 0, lost: 0 });
  const { articles, comments, formerPaths } = stage.app.services;
  const [first, second] = [await idOf('欢迎使用 "Typecho" & 其他'), await idOf('HTML 写的文章')];
  const welcome = await articles.read(first, null);
  expect(welcome.content).toContain(`[第二篇](/detail/${second}#`);
  expect(welcome.content).toMatch(/!\[图\]\(\/api\/file\/[\w-]+\.\w+\)/);
  expect(welcome).toMatchObject({
    tags: ['PHP', '默认分类'],
    description: '这是摘要',
    create_time: '2019-03-07T23:06:40.000Z',
    update_time: '2019-03-08T00:06:40.000Z',
  });
  expect(welcome.cover).toMatch(/^\/api\/file\//);
  const html = await articles.read(second, null);
  expect(html.content).toContain(`[链接](/detail/${first})`);
  expect(html.comments_closed).toBe(true);
  expect((await formerPaths.find('/2019/03/08/default/start.html'))?.id).toBe(first);
  expect((await formerPaths.find('/index.php/2019/03/09/backend/html-post.html'))?.id).toBe(second);
  const { items } = await comments.pageOfArticle(first, { page: 1, order: 'oldest' }, null);
  expect(items.map(({ create_user, reply_user }) => [create_user, reply_user])).toEqual([
    ['访客甲', ''],
    [welcome.create_user, '访客甲'],
  ]);
});

test('content hidden there stays hidden', async () => {
  await runImport();
  for (const title of ['有密码', '私密', '隐藏', '待审核', '草稿', '欢迎使用（改）'])
    await expect(stage.app.services.articles.read(await idOf(title), null)).rejects.toThrow('文章不存在');
  const { result } = await stage.app.services.articles.list({ of: 'public' }, { page: 1, pageSize: 100 });
  const shown = await Promise.all(
    ['HTML 写的文章', '主题的短代码', '欢迎使用 "Typecho" & 其他'].map((title) => idOf(title)),
  );
  expect(new Set(result.map(({ id }) => id))).toEqual(new Set(shown));
});

test('a second import changes nothing, and a dry run writes nothing', async () => {
  await runImport(true);
  expect(Object.values(await counts()).every((count) => count === 0)).toBe(true);
  await runImport();
  const before = await counts();
  const again = await runImport();
  expect(again.articles).toMatchObject({ created: 0, updated: 0, unchanged: 9 });
  expect(again.comments).toMatchObject({ created: 0, known: 4 });
  expect(again.users.created).toBe(0);
  expect(await counts()).toEqual(before);
});

test('moye import typecho reports what is lost', async () => {
  const { code, output, errors } = await runMoye(stage.storage, [
    'import',
    'typecho',
    DUMP,
    '--uploads',
    UPLOADS,
    '--no-pages',
  ]);
  expect([code, errors]).toEqual([0, '']);
  for (const line of [
    '  评论（1）：垃圾评论没有导入',
    '  页面（2）：没有导入（不加 --no-pages 就导入）',
    '  文章《主题的短代码》：主题或插件的短代码原样保留：scode、mtitle、card-list',
  ])
    expect(output.split('\n')).toContain(line);
  expect(output).toContain('文章  新增 9');
});

test('moye import typecho refuses a bad file in one line, and changes nothing', async () => {
  const before = await counts();
  const refused = await runMoye(stage.storage, ['import', 'typecho', `${FIXTURE}expected.json`]);
  expect([refused.code, refused.output]).toEqual([1, '']);
  expect(refused.errors).toMatch(/^moye：[^\n]+\n$/);
  expect(await counts()).toEqual(before);
});

test('a full temporary disk is reported in one line, and nothing is written', async () => {
  const before = await counts();
  const file = join(place, 'large.sql');
  const rows = Array.from({ length: 32 }, (_, at) => `(${at + 1},'${'字'.repeat(400_000)}')`);
  writeFileSync(file, `INSERT INTO t_contents (cid,text) VALUES ${rows.join(',')};`);
  const words = ['import', 'typecho', file];
  const { code, output, errors } = await spawnMoye(stage.storage, words, { largestFile: 2 ** 20 });
  expect([code, output]).toEqual([1, '']);
  expect(errors).toBe('moye：存放临时数据的磁盘已满：请腾出空间，或用环境变量 TMPDIR 换一个文件夹\n');
  expect(await counts()).toEqual(before);
});

test('moye import typecho makes pages of its pages', async () => {
  await runMoye(stage.storage, ['import', 'typecho', DUMP, '--prefix', 'joe_']);
  expect(await stage.app.services.pages.published()).toMatchObject([{ title: '关于', slug: 'about' }]);
  expect((await stage.app.services.articles.read(await idOf('关于'), null)).title).toBe('关于');
});
