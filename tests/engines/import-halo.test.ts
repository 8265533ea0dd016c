import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openHalo } from '../../src/lib/importers/halo/halo-site.ts';
import { importSite } from '../../src/lib/importers/site/import-site.ts';
import type { SiteReport } from '../../src/lib/importers/site/site-report.ts';
import { haloBackup } from '../unit/cli/import/halo-backup.ts';
import { runMoye } from './import-command.ts';
import { openSiteImportStage, type SiteImportStage } from './site-import-stage.ts';

let place: string;
let file: string;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-halo-'));
  file = join(place, 'backup.zip');
  const picture = (background: string) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer();
  const files = {
    'workdir/attachments/upload/photo.png': await picture('red'),
    'workdir/attachments/upload/cover.png': await picture('blue'),
    'workdir/attachments/upload/avatar.png': await picture('green'),
  };
  writeFileSync(file, await haloBackup(undefined, files));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

let stage: SiteImportStage;
beforeEach(async () => {
  stage = await openSiteImportStage();
});
afterEach(() => stage?.close());

async function runImport(isDryRun = false): Promise<SiteReport> {
  const site = await openHalo(file, { origins: [], uploads: undefined, pages: false });
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
const idOf = async (title: string, status = 'normal') =>
  String(
    (await stage.rows(`select id from articles where title = '${title}' and status = '${status}'`))[0]?.[
      'id'
    ],
  );

test('a Halo site is imported completely: texts, links, pictures, threads, old URLs', async () => {
  const report = await runImport();
  expect(report.articles).toMatchObject({ created: 10, failed: 0 });
  expect(report.comments).toEqual({ created: 5, held: 2, known: 0, lost: 0 });
  const { articles, comments, formerPaths, users } = stage.app.services;
  const [rich, markdown] = [await idOf('富文本文章'), await idOf('Markdown 文章')];
  const first = await articles.read(rich, null);
  expect(first.content).toContain(`[站内链接](/detail/${markdown})`);
  expect(first.content).toMatch(/!\[图\]\(\/api\/file\/[\w-]+\.\w+\)/);
  expect(first).toMatchObject({
    tags: ['Java', '后端'],
    description: '手写的摘要',
    pinned: true,
    create_time: '2023-06-10T08:00:00.000Z',
    update_time: '2023-06-11T08:00:00.000Z',
  });
  expect(first.cover).toMatch(/^\/api\/file\//);
  const second = await articles.read(markdown, null);
  expect(second.content).toMatch(/^# 一\n\n第一段改了\n!\[\]\(\/api\/file\/[\w-]+\.\w+\)\n\n第二段\n\n末尾$/);
  expect(second.comments_closed).toBe(true);
  expect((await formerPaths.find('/archives/rich'))?.id).toBe(rich);
  expect((await users.detail(first.create_user)).avatar).not.toBe('');
  const { items } = await comments.pageOfArticle(rich, { page: 1, order: 'oldest' }, null);
  expect(items.map(({ content, reply_content }) => [content, reply_content])).toEqual([
    ['好文章\n第二行 \\*不是斜体\\*', ''],
    ['谢谢', '好文章\n第二行 \\*不是斜体\\*'],
    ['不客气', '谢谢'],
  ]);
});

test('content hidden there stays hidden', async () => {
  await runImport();
  for (const title of ['私有', '内部', '回收站', '隐藏分类里'])
    await expect(stage.app.services.articles.read(await idOf(title), null)).rejects.toThrow('文章不存在');
  const { result } = await stage.app.services.articles.list({ of: 'public' }, { page: 1, pageSize: 100 });
  const shown = await Promise.all(['Markdown 文章', '原文对不上', '富文本文章'].map((title) => idOf(title)));
  expect(new Set(result.map(({ id }) => id))).toEqual(new Set(shown));
});

test('a second import changes nothing, and a dry run writes nothing', async () => {
  await runImport(true);
  expect(Object.values(await counts()).every((count) => count === 0)).toBe(true);
  await runImport();
  const before = await counts();
  const again = await runImport();
  expect(again.articles).toMatchObject({ created: 0, updated: 0, unchanged: 10 });
  expect(again.comments).toMatchObject({ created: 0, known: 5 });
  expect(await counts()).toEqual(before);
});

test('moye import halo reports what is lost', async () => {
  const { code, output, errors } = await runMoye(stage.storage, ['import', 'halo', file, '--pages']);
  expect([code, errors]).toEqual([0, '']);
  for (const line of ['  文章《正文丢了》：备份里没有它的正文，或正文的修改记录对不上，没有导入'])
    expect(output.split('\n')).toContain(line);
  expect(output).toContain('文章  新增 11');
  expect(output).toContain('友链 1 个');
});

test('moye import halo refuses a bad file in one line, and changes nothing', async () => {
  const bad = join(place, 'bad.zip');
  writeFileSync(bad, (await haloBackup()).subarray(0, 4000));
  const before = await counts();
  const refused = await runMoye(stage.storage, ['import', 'halo', bad]);
  expect([refused.code, refused.output, refused.errors]).toEqual([1, '', 'moye：压缩包不完整或已损坏\n']);
  expect(await counts()).toEqual(before);
});
