import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/lib/markdown/render.ts';
import { FIXTURES } from './import-stage.ts';
import { numbersOf, openSiteCommandStage, type SiteCommandStage } from './site-command-stage.ts';

const SITE = join(FIXTURES, 'wordpress/site.xml');
const UPLOADS = join(FIXTURES, 'wordpress/uploads');

let stage: SiteCommandStage;
beforeAll(async () => {
  stage = await openSiteCommandStage('wordpress');
});
afterAll(() => stage?.close());

// Every article is rendered, which is slow on a busy machine.

describe('moye import wordpress', () => {
  test('reports in a dry run what it would do, and writes nothing', async () => {
    const before = await stage.countAll();
    const foreseen = await stage.runImport(SITE, { uploads: UPLOADS, isDryRun: true });
    expect(foreseen[2]).toBe('  文章  新增 8，更新 0，未变 0，失败 0');
    expect(await stage.countAll()).toEqual(before);
  });

  test('imports a complete site, and reports what is lost', async () => {
    const { code, output, errors } = await stage.moye(SITE, '--uploads', UPLOADS, '--no-pages');
    expect([code, errors]).toEqual([0, '']);
    expect(numbersOf(output)).toEqual([
      '  用户  新建 6，对应到已有账号 0，上次已导入 0',
      expect.stringMatching(/^ {2}标签 {2}新增 4，专栏 新增 0，图片 [1-9]/),
      '  文章  新增 8，更新 0，未变 0，失败 0',
      '  评论  新增 6（其中 1 条等待审核），上次已导入 0，没有导入 0',
    ]);
    for (const line of [
      '文章《经典编辑器 & 它的 一切》：不认识的短代码保留为代码：contact-form-7、note',
      '文章《区块编辑器》：由 WordPress 现算的区块没有导入：latest-posts',
      '文章《有密码》：文章有密码，导入为私密文章，密码没有带过来',
      '垃圾评论（1）：没有导入',
      'Pingback 和 Trackback（1）：本站没有，没有导入',
      '商品（1）：没有导入',
      '页面（1）：没有导入（不加 --no-pages 就导入）',
    ])
      expect(output).toContain(`  ${line}\n`);
  });

  test('after which articles are rendered, and redirected from their old URLs', async () => {
    const { articles, formerPaths } = stage.app.services;
    const id = (await formerPaths.find('/2020/05/经典/'))?.id ?? '';
    expect((await formerPaths.find('/?p=11'))?.id).toBe(id);
    const second = (await formerPaths.find('/2020/05/post-12/'))?.id ?? '';
    const { content, cover, tags } = await articles.read(id, null);
    expect(content).toContain(`[相对的链接](/detail/${second}) [另一种](/detail/${second})`);
    expect(content).not.toMatch(/hua(?:-\d+x\d+)?\.png/);
    expect(cover).toMatch(/^\/api\/file\//);
    expect(tags).toEqual(['PHP', '问 & 答', '技术']);
    const { html } = await renderMarkdown(content);
    expect(html).toContain('<figcaption>路边的"花"</figcaption>');
    expect(html).toContain('<iframe title="哔哩哔哩上的视频"');
    expect(html).not.toMatch(/<script|\[caption id|<!-- wp:/);
  });

  test('and replies are under their parents', async () => {
    const { comments, formerPaths } = stage.app.services;
    const id = (await formerPaths.find('/?p=11'))?.id ?? '';
    const { items } = await comments.pageOfArticle(id, { page: 1, order: 'oldest' }, null);
    expect(items.map(({ create_user, content, reply_user }) => [create_user, content, reply_user])).toEqual([
      ['读者甲', '好文！\n\n**粗** [链接](https://b.example/) <https://c.example/x_y>', ''],
      ['张三', '谢谢', '读者甲'],
      ['读者乙', '> 谢谢\n\n不客气', '张三'],
      ['读者甲', '答卖药的', ''],
      ['匿名读者', '没有名字', ''],
    ]);
  });

  test('keeps drafts, private and protected articles private to their author', async () => {
    const rows = await stage.rows('select title, status, secret from articles');
    const kinds = Object.fromEntries(
      rows.map(({ title, status, secret }) => [title, [status, Boolean(secret)]]),
    );
    expect(kinds).toMatchObject({
      草稿: ['draft', false],
      等审核: ['draft', false],
      将来: ['draft', false],
      私密: ['normal', true],
      有密码: ['normal', true],
      区块编辑器: ['normal', false],
    });
    expect(Object.keys(kinds)).not.toContain('扔了');
  });

  test('the second import changes only what changed in the source', async () => {
    const before = await stage.countAll();
    expect(await stage.runImport(SITE, { uploads: UPLOADS })).toEqual([
      '  用户  新建 0，对应到已有账号 0，上次已导入 6',
      expect.stringMatching(/^ {2}标签 {2}新增 0/),
      '  文章  新增 0，更新 0，未变 8，失败 0',
      '  评论  新增 0，上次已导入 6，没有导入 0',
    ]);
    expect(await stage.countAll()).toEqual(before);
    const changed = join(stage.place, 'changed.xml');
    writeFileSync(changed, readFileSync(SITE, 'utf8').replace('密码后面', '密码后面多了一句'));
    expect((await stage.runImport(changed, { uploads: UPLOADS }))[2]).toContain('更新 1，未变 7');
  });

  test('refuses a truncated file in one line, and writes nothing', async () => {
    const before = await stage.countAll();
    const cut = join(stage.place, 'cut.xml');
    const whole = readFileSync(SITE);
    writeFileSync(cut, whole.subarray(0, whole.length - 30));
    const { code, output, errors } = await stage.moye(cut);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^moye：文件不完整或不是 WordPress 导出的 XML（第 \d+ 行）\n$/);
    expect(await stage.countAll()).toEqual(before);
  });
});
