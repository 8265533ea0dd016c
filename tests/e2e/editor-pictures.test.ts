import sharp from 'sharp';
import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test } from './desk.ts';
import { give, picture } from './give-pictures.ts';

test.override('site', { scope: 'file' }, ({ startSite }) => startSite({ PICTURE_HOSTS: 'byteimg.com' }));

describe('pictures', () => {
  test.for(['paste', 'drop'] as const)('come by %s', async (way, { desk }) => {
    await desk.open();
    await desk.title.fill(way);
    await give(desk.text, way, ['竹林.png']);
    await desk.text.getByText('![竹林](/api/file/').waitFor();
    const image = desk.preview.getByRole('img', { name: '竹林' });
    await expect
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBeGreaterThan(0);
  });

  test('are chosen with a button, several at once, each at its current place; a failed one can be retried', async ({
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
      /^最前面前\n\n!\[一\]\(\/api\/file\/[^)]+\)\n\n!\[二\]\(\/api\/file\/[^)]+\)\n*$/,
    );
    expect(await list.count()).toBe(0);
  });

  test('an upload shows its progress, and can be cancelled', async ({ guest, page, desk }) => {
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

  test('a picture that a proxy finds too large is told, and leaves nothing in the text', async ({
    guest,
    page,
    desk,
  }) => {
    guest.forgive(/413/);
    await desk.open();
    await desk.title.fill('代理');
    await desk.write('前面后面');
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft');
    const headers = { 'Content-Type': 'text/html' };
    await page.route('**/api/file/uploadImage', (route) =>
      route.fulfill({ status: 413, headers, body: '<html><h1>413 Request Entity Too Large</h1></html>' }),
    );
    await give(desk.text, 'paste', ['大.png']);
    await page.getByText('图片太大，网站前面的代理没有放行，请缩小后再传').waitFor();
    await expect.poll(() => desk.source()).toBe('前面后面');
    await desk.button('移除 大.png').click();
    expect(await desk.source()).toBe('前面后面');
  });

  test('a picture written in the text itself becomes a file', async ({ page, desk }) => {
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#357' } })
      .png()
      .toBuffer();
    await desk.open();
    await desk.title.fill('内嵌');
    await desk.text.click();
    await page.keyboard.insertText(`前 ![图](data:image/png;base64,${bytes.toString('base64')}) 后`);
    await desk.text.getByText('/api/file/').waitFor();
    expect(await desk.source()).toMatch(/^前 !\[图\]\(\/api\/file\/[0-9a-f]{32}-400x300\.png\) 后$/);
  });

  test('unsupported files are refused before sending', async ({ page, desk }) => {
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

describe('an uploaded picture', () => {
  const url = '/api/file/[0-9a-f]{32}-800x600\\.png';

  test(
    'is a separate paragraph, also within a text, and typing continues after it',
    { tags: ['long'] },
    async ({ page, desk }) => {
      await desk.open();
      await desk.title.fill('段落');
      await desk.write('前面后面');
      for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft');
      await give(desk.text, 'paste', ['竹.png', '林.png']);
      await desk.text.getByText('![林](/api/file/').waitFor();
      await desk.text.getByText('![竹](/api/file/').waitFor();
      await page.keyboard.insertText('接着写，');
      expect(await desk.source()).toMatch(
        new RegExp(`^前面\\n\\n!\\[竹\\]\\(${url}\\)\\n\\n!\\[林\\]\\(${url}\\)\\n\\n接着写，后面$`),
      );
    },
  );

  test('stays in its quote', { tags: ['long'] }, async ({ desk }) => {
    await desk.open();
    await desk.write('> 引');
    await give(desk.text, 'paste', ['甲.png']);
    await desk.text.getByText('![甲](/api/file/').waitFor();
    expect(await desk.source()).toMatch(new RegExp(`^> 引\\n>\\n> !\\[甲\\]\\(${url}\\)\\n>\\n> $`));
  });

  test('can be edited during typing: description, width, replacement', async ({ page, desk }) => {
    await desk.open();
    await desk.title.fill('说明');
    await desk.text.click();
    await give(desk.text, 'paste', ['竹.png']);
    const row = page.getByRole('region', { name: '图片', exact: true });
    await row.waitFor();
    await page.keyboard.insertText('没有停下');
    await row.getByLabel('替代文字').fill('雨后的[竹林]');
    await row.getByLabel('图注').fill('摄于"山中"');
    await row.getByRole('button', { name: '小图' }).click();
    expect(await desk.source()).toMatch(
      new RegExp(`^!\\[雨后的\\\\\\[竹林\\\\\\]\\]\\(${url}#w=small "摄于\\\\"山中\\\\""\\)\\n\\n没有停下$`),
    );
    const figure = desk.preview.getByRole('figure');
    await figure.getByText('摄于"山中"').waitFor();
    const share = () =>
      figure.evaluate(
        (element) => (element.querySelector('img')?.clientWidth ?? 0) / Math.max(element.clientWidth, 1),
      );
    // The preview may show the caption before it applies the width.
    await expect.poll(share).toBeCloseTo(0.5, 2);
    const before = await desk.source();
    await row.getByLabel('选择替换的图片').setInputFiles({
      name: '另.png',
      mimeType: 'image/png',
      buffer: picture,
    });
    await expect.poll(() => desk.source()).not.toBe(before);
    expect((await desk.source()).replace(/[0-9a-f]{32}/, '')).toBe(before.replace(/[0-9a-f]{32}/, ''));
    await row.getByRole('button', { name: '收起图片设置' }).click();
    await row.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Home');
    await row.waitFor();
  });

  test('thirty at once are all uploaded, in order', { tags: ['long'] }, async ({ desk }) => {
    const names = Array.from({ length: 30 }, (_, index) => `图${index}.png`);
    await desk.open();
    await give(desk.text, 'drop', names);
    await expect
      .poll(async () => [...(await desk.source()).matchAll(/!\[(图\d+)\]/g)].map(([, name]) => `${name}.png`))
      .toEqual(names);
  });
});

describe('pictures of other sites', () => {
  const OUTSIDE = ['https://p3.byteimg.com/a.png', 'https://b.test/gone.png'];

  /** Other sites serve a picture to the browser; the server can only fetch the first of `OUTSIDE`. */
  async function answerFor(page: Page): Promise<string[]> {
    const asked: string[] = [];
    await page.route(/^https:/, (route) => route.fulfill({ contentType: 'image/png', body: picture }));
    await page.route('**/api/file/fetchImage', (route) => {
      const url = new URLSearchParams(route.request().postData() ?? '').get('url') ?? '';
      asked.push(url);
      const data = { url: `/api/file/${'a'.repeat(32)}-8x6.png` };
      const refusal = { code: 'ERROR', data: '对方网站上已经没有这张图片', error: 'URL_UNREACHABLE' };
      return route.fulfill({ json: url === OUTSIDE[0] ? { code: 'OK', data } : refusal });
    });
    await page.route('**/api/file/aaaa*', (route) =>
      route.fulfill({ contentType: 'image/png', body: picture }),
    );
    return asked;
  }

  test('are stored here on request; failures keep their URL with a reason', async ({ page, desk }) => {
    const asked = await answerFor(page);
    await desk.open();
    await desk.title.fill('外链');
    await desk.write(OUTSIDE.map((url) => `![图](${url})`).join('\n\n'));
    const row = page.getByRole('region', { name: '外链图片' });
    await row.getByText('2 张图片在别的网站上').waitFor();
    expect(asked).toEqual([]);
    await desk.button('把外链图片存到本站').click();
    await row.getByText('1 张没有取到，地址没有改动').waitFor();
    await row.getByText('对方网站上已经没有这张图片').waitFor();
    expect(await desk.source()).toMatch(
      /^!\[图\]\(\/api\/file\/a{32}-8x6\.png\)\n\n!\[图\]\(https:\/\/b\.test/,
    );
    await desk.button('再试一次').click();
    await expect.poll(() => asked).toEqual([...OUTSIDE, OUTSIDE[1]]);
    await row.getByText('1 张没有取到').waitFor();
    await desk.button('知道了').click();
    await row.waitFor({ state: 'detached' });
  });

  test('are left unchanged when the author declines', async ({ page, desk }) => {
    const asked = await answerFor(page);
    await desk.open();
    await desk.write(`![图](${OUTSIDE[0]})`);
    await desk.button('不用了').click();
    await page.getByRole('region', { name: '外链图片' }).waitFor({ state: 'detached' });
    await desk.saved('存');
    expect(asked).toEqual([]);
  });

  test('of configured hosts are stored as soon as they are pasted', async ({ page, desk }) => {
    const asked = await answerFor(page);
    await desk.open();
    await desk.text.evaluate(
      (element, text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      },
      OUTSIDE.map((url) => `![图](${url})`).join('\n\n'),
    );
    await desk.text.getByText('/api/file/aaaa').waitFor();
    expect(asked).toEqual([OUTSIDE[0]]);
    await page.getByText('1 张图片在别的网站上').waitFor();
  });
});
