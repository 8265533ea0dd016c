import { readFile } from 'node:fs/promises';
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { splitFrontMatter } from '../../src/lib/markdown-file/front-matter.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

let accounts = 0;
const test = base
  .extend('owner', async ({ site }) => (await site.join(`搬家人${++accounts}`)).viewer)
  .extend('username', ({ owner }) => owner.username);

/** Returns the texts of a zip archive by path. */
async function textsIn(file: string): Promise<Map<string, string>> {
  const zip = new ZipReader(new BlobReader(new Blob([await readFile(file)])));
  const texts = new Map<string, string>();
  for (const entry of await zip.getEntries({ strictness: 'strict' }))
    if (!entry.directory) texts.set(entry.filename, await entry.getData(new TextWriter()));
  return texts;
}

describe.each(looks(Object.entries({ phone: sizes.phone, desktop: sizes.desktop })))(
  'exporting one’s content (%s)',
  (_, viewport) => {
    test.override('window', { viewport });

    test('the settings page downloads a zip with texts and pictures, and closing an account says so first', async ({
      site,
      owner,
      page,
    }) => {
      const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#357' } })
        .png()
        .toBuffer();
      const { url } = await site.app.services.files.saveImage(owner, picture);
      await site.write(owner, { title: '山居秋暝', content: `空山新雨后\n\n![山](${url})`, tags: ['诗'] });
      await site.write(owner, { title: '没写完', content: '草稿', status: 'draft' });

      await page.goto('/user/settings');
      const section = page.getByRole('region', { name: '导出', exact: true });
      const closing = page.getByRole('region', { name: '删除账号', exact: true });
      await closing.getByRole('link', { name: '导出', exact: true }).click();
      await expectPage(section).toBeInViewport();
      expect(await violationsOf(page, { include: 'main' })).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);

      const started = page.waitForEvent('download');
      await section.getByRole('button', { name: '下载我的内容' }).click();
      // The toast may be gone before a slow download starts.
      await expectPage(page.getByText('开始下载，图片多时要等一会儿')).toBeVisible();
      const download = await started;
      expect(download.suggestedFilename()).toBe(`${owner.username}.zip`);
      expect(await download.failure()).toBeNull();
      const texts = await textsIn(await download.path());
      const [path = ''] = [...texts.keys()].filter((each) => each.startsWith('posts/'));
      expect(path).toMatch(/^posts\/\d{4}-\d\d-\d\d-山居秋暝\.md$/);
      const { metadata, body } = splitFrontMatter(texts.get(path) ?? '');
      expect(metadata).toMatchObject({ title: '山居秋暝', tags: ['诗'] });
      const [, shown = ''] = /^空山新雨后\n\n!\[山\]\(\.\.\/(pictures\/[\w.-]+)\)$/.exec(body.trim()) ?? [];
      expect(texts.has(shown)).toBe(true);
      expect([...texts.keys()].some((each) => /^drafts\/.*没写完\.md$/.test(each))).toBe(true);
      expect(JSON.parse(texts.get('moye.json') ?? '')).toMatchObject({ kind: 'author', missing: [] });
    });
  },
);
