import { describe, expect } from 'vitest';
import { twoColours } from '../unit/files/pictures.ts';
import { looks } from './looks.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const MANY_LINES = '一行字。\n\n'.repeat(60);

const test = base
  .extend('isReaders', { scope: 'file' }, true)
  .extend('article', { scope: 'file' }, async ({ site, author }) => {
    const save = async (width: number, height: number) =>
      (await site.app.services.files.saveImage(author, await twoColours(width, height).png().toBuffer())).url;
    const [cover, below] = [await save(1600, 900), await save(900, 600)];
    return site.write(author, {
      content: `![封面](${cover})\n\n下一段\n\n${MANY_LINES}![远处](${below})\n\n最后一段`,
    });
  });

describe.each(looks(Object.entries(sizes)))('pictures of an article on a %s', (_name, viewport) => {
  test('have reserved space before loading, and keep their aspect ratio', async ({ page, article }) => {
    await page.setViewportSize(viewport);
    const asked: string[] = [];
    // Held back until the text has been measured.
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/\/api\/file\/.*\.png/, async (route) => {
      asked.push(route.request().url());
      await held;
      await route.continue();
    });
    await page.goto(`/detail/${article}`, { waitUntil: 'domcontentloaded' });
    const top = () => page.getByText('下一段').evaluate((text) => text.getBoundingClientRect().top);
    const before = await top();
    await expect.poll(() => asked.length).toBe(1);
    letGo();
    const cover = page.getByRole('img', { name: '封面' });
    await expect
      .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(await top()).toBe(before);
    const box = await cover.boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 9, 1);
    expect(asked).toHaveLength(1);
    await page.getByText('最后一段').scrollIntoViewIfNeeded();
    await expect.poll(() => asked.length).toBe(2);
  });
});
