import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { test } from './desk.ts';

const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#246' } })
  .png()
  .toBuffer();

/** Pastes or drops files as a hand would. */
async function give(target: Locator, type: 'paste' | 'drop', names: string[]): Promise<void> {
  const bytes = [...picture];
  await target.evaluate(
    (element, { type, names, bytes }) => {
      const data = new DataTransfer();
      for (const name of names)
        data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      const { left, top } = element.getBoundingClientRect();
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', {
              dataTransfer: data,
              bubbles: true,
              cancelable: true,
              clientX: left + 5,
              clientY: top + 25,
            });
      element.dispatchEvent(event);
    },
    { type, names, bytes },
  );
}

describe('pictures', () => {
  test.for(['paste', 'drop'] as const)('come by %s', async (way, { desk }) => {
    await desk.open();
    await desk.title.fill(way);
    await give(desk.text, way, ['竹林.png']);
    await desk.text.getByText('![竹林](/api/file/').waitFor();
    const image = desk.preview.getByRole('img', { name: '竹林' });
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(800);
  });

  test('come by button, several at once, each where its place now is; one that fails can be tried again', async ({
    guest,
    page,
    desk,
  }) => {
    guest.forgive(/net::ERR|Failed to load|网络/);
    await desk.open();
    await desk.title.fill('几张图');
    await desk.write('前\n\n');
    let fails = true;
    await page.route('**/api/file/uploadImage', (route) => {
      const isSecond = route.request().postDataBuffer()?.includes('二.png') ?? false;
      return isSecond && fails ? route.abort() : route.continue();
    });
    const chooser = page.waitForEvent('filechooser');
    await desk.button('图片').click();
    await (
      await chooser
    ).setFiles(['一.png', '二.png'].map((name) => ({ name, mimeType: 'image/png', buffer: picture })));
    const list = page.getByRole('list', { name: '正在上传的图片' });
    await list.getByText('网络不通').waitFor();
    await desk.text.getByText('![一](/api/file/').waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('最前面');
    fails = false;
    await list.getByRole('button', { name: '重试上传 二.png' }).click();
    await desk.text.getByText('![二](/api/file/').waitFor();
    expect(await desk.source()).toMatch(
      /^最前面前\n\n!\[一\]\(\/api\/file\/[^)]+\)\n\n!\[二\]\(\/api\/file\/[^)]+\)$/,
    );
    expect(await list.count()).toBe(0);
  });

  test('one on its way shows how far it is, and can be given up', async ({ guest, page, desk }) => {
    guest.forgive(/网络|abort/);
    await desk.open();
    await desk.title.fill('不要了');
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/file/uploadImage', async (route) => {
      await held;
      await route.abort().catch(() => undefined);
    });
    await give(desk.text, 'paste', ['慢.png']);
    await page.getByRole('progressbar', { name: '慢.png 的上传进度' }).waitFor();
    await desk.button('取消上传 慢.png').click();
    expect(await page.getByRole('progressbar').count()).toBe(0);
    expect((await desk.source()).trim()).toBe('');
    release();
  });

  test('what is no picture for an article is refused before it is sent', async ({ page, desk }) => {
    await desk.open();
    await page.getByLabel('选择图片').setInputFiles([
      { name: '矢量.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
      { name: '太大.png', mimeType: 'image/png', buffer: Buffer.alloc(16 * 1024 * 1024 + 1) },
    ]);
    await page.getByText('无法识别的图片，请使用 PNG、JPEG、WebP、GIF 或 AVIF 格式').waitFor();
    await page.getByText('图片不能超过 16 MB').waitFor();
    await desk.button('移除 矢量.svg').click();
    await desk.button('移除 太大.png').click();
    expect((await desk.source()).trim()).toBe('');
  });
});
