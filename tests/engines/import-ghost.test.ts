import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/lib/markdown/render.ts';
import { FIXTURES } from './import-stage.ts';
import { numbersOf, openSiteCommandStage, type SiteCommandStage } from './site-command-stage.ts';

const NAME = 'old.ghost.2022-05-01.json';
const FILES = [NAME, 'content/images/2022/03/hua.png', 'content/images/2022/03/tu.png'];

let stage: SiteCommandStage;
let archive: string;
beforeAll(async () => {
  stage = await openSiteCommandStage('ghost');
  archive = join(stage.place, 'site.zip');
  const zip = new ZipWriter(Writable.toWeb(createWriteStream(archive)), { useWebWorkers: false });
  for (const file of FILES) {
    const bytes = readFileSync(join(FIXTURES, 'ghost', file));
    await zip.add(file, new Uint8ArrayReader(bytes));
  }
  await zip.close();
});
afterAll(() => stage?.close());

// Every article is rendered, which is slow on a busy machine.

describe('moye import ghost', () => {
  test('reports in a dry run what it would do, and writes nothing', async () => {
    const before = await stage.countAll();
    const foreseen = await stage.runImport(archive, { isDryRun: true });
    expect(foreseen[2]).toBe('  文章  新增 7，更新 0，未变 0，失败 0');
    expect(await stage.countAll()).toEqual(before);
  });

  test('imports a complete site, and reports what is lost', async () => {
    const { code, output, errors } = await stage.moye(archive, '--no-pages');
    expect([code, errors]).toEqual([0, '']);
    expect(numbersOf(output)).toEqual([
      '  用户  新建 2，对应到已有账号 0，上次已导入 0',
      expect.stringMatching(/^ {2}标签 {2}新增 2，专栏 新增 0，图片 [1-9]/),
      '  文章  新增 7，更新 0，未变 0，失败 0',
      '  评论  新增 0，上次已导入 0，没有导入 0',
    ]);
    for (const line of [
      '文章《第一篇》：不认识的卡片没有导入，或只留下了文字和链接：email、signup、transistor、newfangled',
      '文章《第一篇》：本站的文章只有一位作者，没有带上：Zhao Liu',
      '文章《第二篇》：只给会员看的文章（members），导入为私密文章',
      '文章《坏的》：编辑器的正文无法读取，改用了网页上的 HTML',
      '内部标签（#）（1）：读者看不到，没有导入',
      '页面（1）：没有导入（不加 --no-pages 就导入）',
    ])
      expect(output).toContain(`  ${line}\n`);
  });

  test('after which articles are rendered, and redirected from their old URLs', async () => {
    const { articles, formerPaths } = stage.app.services;
    const article = await articles.read((await formerPaths.find('/first'))?.id ?? '', null);
    expect(article).toMatchObject({ create_user: '王五', description: '摘要', tags: ['生活', '技术'] });
    expect(article.create_time).toBe('2022-03-01T02:00:00.000Z');
    expect(article.content).toMatch(/\[另一篇\]\(\/detail\/[\da-f]{24}\)/);
    expect(article.content).not.toContain('/content/images/');
    const { html } = await renderMarkdown(article.content);
    expect(html).toContain('<figcaption>一朵花</figcaption>');
    expect(html).toContain('callout');
    expect(html).not.toMatch(/<script|kg-|GHOST_URL/);
  });

  test('keeps members-only and unpublished posts private to their author', async () => {
    const rows = await stage.rows('select title, status, secret from articles');
    const kinds = Object.fromEntries(
      rows.map(({ title, status, secret }) => [title, [status, Boolean(secret)]]),
    );
    expect(kinds).toEqual({
      第一篇: ['normal', false],
      第二篇: ['normal', true],
      第三篇: ['normal', true],
      草稿: ['draft', false],
      定时的: ['draft', false],
      发过的: ['normal', true],
      坏的: ['normal', false],
    });
  });

  test('changes nothing the second time, and imports pages on request', async () => {
    const before = await stage.countAll();
    expect((await stage.runImport(archive))[2]).toBe('  文章  新增 0，更新 0，未变 7，失败 0');
    expect(await stage.countAll()).toEqual(before);
    expect((await stage.runImport(archive, { pages: true }))[2]).toContain(
      '新增 1（其中 1 个页面），更新 0，未变 7',
    );
    expect(await stage.app.services.pages.published()).toMatchObject([{ title: '关于', slug: 'about' }]);
  });

  test('refuses a truncated zip in one line, and writes nothing', async () => {
    const before = await stage.countAll();
    const cut = join(stage.place, 'cut.zip');
    const whole = readFileSync(archive);
    writeFileSync(cut, whole.subarray(0, whole.length - 30));
    const { code, output, errors } = await stage.moye(cut);
    expect([code, output, errors]).toEqual([1, '', 'moye：压缩包不完整或已损坏\n']);
    expect(await stage.countAll()).toEqual(before);
  });
});
