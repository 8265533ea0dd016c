import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { temporaryFolder } from '../api/spawn.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { overflowOf } from './sign-form.ts';
import type { Site } from './site.ts';
import { sizes } from './visit.ts';

const UNREADABLE = '无法识别的图片，请使用 PNG、JPEG 或 WebP 格式';
const BIO = '写字的人，住在山里。\n偶尔写代码。';

/** A picture of 600 × 300 pixels with two colours, left and right. */
const twoColours = async (left: string, right: string): Promise<Buffer> => {
  const half = (background: string) => ({
    create: { width: 300, height: 300, channels: 3 as const, background },
  });
  const other = await sharp(half(right)).png().toBuffer();
  return sharp(half(left))
    .extend({ right: 300, background: right })
    .composite([{ input: other, left: 300, top: 0 }])
    .png()
    .toBuffer();
};
const redAndBlue = await twoColours('red', 'blue');

/** Share of red in the middle of a user's stored avatar, from 0 to 1. */
async function rednessOf(site: Site, username: string): Promise<number> {
  const { files } = site.app.services;
  const { body } = await files.read(await files.avatarOf(username));
  const { channels } = await sharp(await new Response(body).arrayBuffer()).stats();
  const [red, , blue] = channels.map(({ mean }) => mean);
  return (red ?? 0) / ((red ?? 0) + (blue ?? 0));
}

type Chosen = string | { name: string; mimeType: string; buffer: Buffer };
const png = (buffer: Buffer) => ({ name: '头像.png', mimeType: 'image/png', buffer });

/** Profile of an author whose bio is `BIO`. */
const test = base
  .extend('username', async ({ site, author }) => {
    await site.app.services.users.updateBio(author, BIO);
    return author.username;
  })
  .extend('profile', ({ page }) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog', { name: '裁剪头像' });
    const choose = async (file: Chosen): Promise<void> => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('更换头像').click()]);
      await chooser.setFiles(file);
    };
    return {
      button,
      dialog,
      choose,
      isFocused: (name: string) => button(name).evaluate((element) => element === document.activeElement),
      /** Opens the profile and chooses the red and blue picture. */
      async openDialog(): Promise<void> {
        await page.goto('/user/info/林间');
        await choose(png(redAndBlue));
        await dialog.getByRole('figure', { name: '预览' }).locator('img').first().waitFor();
      },
    };
  });

describe('a profile', () => {
  test(
    'has no controls for visitors and other users, and visitors load no script for them',
    { tags: ['long'] },
    async ({ site, author, visit }) => {
      await site.app.services.users.updateBio(author, BIO);
      await site.join('路人');
      for (const username of [undefined, '路人']) {
        const reader = await visit({ username });
        const asked: string[] = [];
        reader.page.on('request', (request) => asked.push(request.url()));
        await reader.page.goto('/user/info/林间');
        await reader.page.getByText('偶尔写代码。').filter({ visible: true }).hover();
        await reader.page.waitForLoadState('networkidle');
        expect(await reader.page.getByRole('button', { name: /头像|资料/ }).count()).toBe(0);
        expect(await reader.page.locator('main').innerText()).toContain(BIO);
        if (username === undefined)
          expect(asked.filter((url) => /AvatarEditor|BioEditor/.test(url))).toEqual([]);
      }
    },
  );

  test('shows its owner the text once, and both controls', { tags: ['long'] }, async ({ page, profile }) => {
    await page.goto('/user/info/林间');
    await profile.button('编辑资料').waitFor();
    await profile.button('更换头像').waitFor();
    expect((await page.locator('main').innerText()).split('住在山里').length).toBe(2);
  });

  test.for(looks(['light', 'dark']))(
    'has nothing that axe finds, %s',
    { tags: ['long'] },
    async (theme, { page, profile }) => {
      await page.addInitScript((name) => localStorage.setItem('theme', name), theme);
      await profile.openDialog();
      const look = () => violationsOf(page);
      expect(await look()).toEqual([]);
      await page.keyboard.press('Escape');
      await profile.button('编辑资料').click();
      expect(await look()).toEqual([]);
    },
  );
});

describe('changing the avatar', () => {
  test(
    'the cropped area becomes the avatar everywhere on the page, without a reload',
    { tags: ['long'] },
    async ({ site, page, profile }) => {
      await profile.openDialog();
      await profile.button('保存头像').click();
      await page.getByText('头像已更换').waitFor();
      await profile.dialog.waitFor({ state: 'detached' });
      const { avatar } = await site.app.services.users.detail('林间');
      await page.locator(`main img[src="/api/file/${avatar}"]`).filter({ visible: true }).waitFor();
      const shown = page.locator(`main img[src="/api/file/${avatar}"]`).filter({ visible: true });
      await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);
      await page.getByRole('banner').locator(`img[src="/api/file/${avatar}"]`).waitFor();
      expect(await rednessOf(site, '林间')).toBeCloseTo(0.5, 1);
      expect(await profile.isFocused('更换头像')).toBe(true);
      // From now on the server renders it as well.
      await page.reload();
      await page.locator(`main img[src="/api/file/${avatar}"]`).filter({ visible: true }).waitFor();
    },
  );

  test('by keyboard: the arrows move the picture, the slider zooms', async ({ site, page, profile }) => {
    await profile.openDialog();
    await page.getByRole('slider', { name: '缩放' }).focus();
    await page.keyboard.press('End');
    expect(await page.getByRole('slider', { name: '缩放' }).inputValue()).toBe('4');
    await page.getByRole('group', { name: /取景框/ }).focus();
    for (let step = 0; step < 120; step++) await page.keyboard.down('ArrowRight');
    await page.keyboard.up('ArrowRight');
    await profile.button('保存头像').focus();
    await page.keyboard.press('Enter');
    await profile.dialog.waitFor({ state: 'detached' });
    expect(await rednessOf(site, '林间')).toBeGreaterThan(0.9);
  });

  test('by pointer: dragging moves, the wheel zooms', async ({ site, page, profile }) => {
    await profile.openDialog();
    const frame = page.getByRole('group', { name: /取景框/ });
    await frame.hover();
    await page.mouse.wheel(0, -600);
    await expect.poll(async () => Number(await page.getByRole('slider').inputValue())).toBeGreaterThan(1.5);
    const box = await frame.boundingBox();
    if (!box) throw new Error('no frame');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x - 1200, box.y + box.height / 2, { steps: 10 });
    await page.mouse.up();
    await profile.button('保存头像').click();
    await profile.dialog.waitFor({ state: 'detached' });
    expect(await rednessOf(site, '林间')).toBeLessThan(0.1);
  });

  test(
    'a photo far beyond the limit is resized before sending',
    { tags: ['long'] },
    async ({ page, profile }) => {
      const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'huge.png');
      const create = { width: 3200, height: 2400, channels: 3 as const, background: 'black', noise };
      const bytes = await sharp({ create }).png({ compressionLevel: 1 }).toBuffer();
      expect(bytes.length).toBeGreaterThan(10 * 1024 * 1024);
      await writeFile(file, bytes);
      await page.goto('/user/info/林间');
      await profile.choose(file);
      const [request] = await Promise.all([
        page.waitForRequest('**/api/file/uploadAvatar'),
        profile.dialog
          .getByRole('figure', { name: '预览' })
          .locator('img')
          .first()
          .waitFor()
          .then(() => profile.button('保存头像').click()),
      ]);
      expect(request.postDataBuffer()?.length).toBeLessThan(2 * 1024 * 1024);
      await page.getByText('头像已更换').waitFor();
    },
  );

  test('files other than PNG, JPEG or WebP are refused with a message, whatever their name', async ({
    page,
    profile,
  }) => {
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const broken = redAndBlue.subarray(0, 60);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const bytes of [gif, broken, svg, Buffer.alloc(0), Buffer.from('正文')]) {
      await page.goto('/user/info/林间');
      await profile.choose(png(bytes));
      await expect.poll(() => page.getByRole('alert').innerText()).toContain(UNREADABLE);
      expect(await profile.dialog.count()).toBe(0);
    }
  });

  test(
    'when saving fails the crop stays, and retrying works',
    { tags: ['long'] },
    async ({ guest, page, profile }) => {
      guest.forgive(/ERR_INTERNET_DISCONNECTED/);
      await profile.openDialog();
      await page.getByRole('slider').fill('2');
      await guest.context.setOffline(true);
      await profile.button('保存头像').click();
      await expect
        .poll(() => profile.dialog.getByRole('alert').innerText())
        .toBe('网络不通，请检查网络后再试');
      expect(await page.getByRole('slider').inputValue()).toBe('2');
      await guest.context.setOffline(false);
      const refusal = { json: { code: 'ERROR', data: '图片不能超过 16 MB' } };
      await page.route('**/api/file/uploadAvatar', (route) => route.fulfill(refusal), { times: 1 });
      await profile.button('保存头像').click();
      await expect.poll(() => profile.dialog.getByRole('alert').innerText()).toBe('图片不能超过 16 MB');
      await profile.button('保存头像').click();
      await page.getByText('头像已更换').waitFor();
    },
  );

  test('a double click saves once', { tags: ['long'] }, async ({ page, profile }) => {
    await profile.openDialog();
    let uploads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/uploadAvatar')) uploads += 1;
    });
    await profile.button('保存头像').dblclick();
    await page.getByText('头像已更换').waitFor();
    expect(uploads).toBe(1);
  });

  test('Escape and 取消 leave everything as it was, and the same file can be chosen again', async ({
    site,
    page,
    profile,
  }) => {
    const before = await site.app.services.users.detail('林间');
    await profile.openDialog();
    await page.keyboard.press('Escape');
    await profile.dialog.waitFor({ state: 'detached' });
    await profile.choose(png(redAndBlue));
    await profile.dialog.getByRole('button', { name: '取消' }).click();
    await profile.dialog.waitFor({ state: 'detached' });
    expect(await profile.isFocused('更换头像')).toBe(true);
    expect((await site.app.services.users.detail('林间')).avatar).toBe(before.avatar);
  });

  test.for(looks(['phone', 'tablet', 'desktop'] as const))(
    'fits on a %s',
    async (size, { page, profile }) => {
      await page.setViewportSize(sizes[size]);
      await profile.openDialog();
      expect(await overflowOf(page)).toBe(0);
      const box = await profile.dialog.boundingBox();
      expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= sizes[size].width).toBe(true);
      expect((await profile.button('保存头像').boundingBox())?.height).toBeGreaterThanOrEqual(44);
    },
  );
});
