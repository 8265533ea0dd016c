import { expect } from 'vitest';
import { test } from './desk.ts';
import { give, picture } from './give-pictures.ts';

test('200 pictures at once are announced as one, a quota is reported once, and typing continues', async ({
  guest,
  page,
  desk,
}) => {
  guest.forgive(/429/);
  await desk.open();
  await desk.title.fill('两百张');
  let asked = 0;
  await page.route('**/api/file/uploadImage', (route) => {
    const url = `/api/file/${'0'.repeat(31)}${++asked}-8x6.png`;
    if (asked <= 3) return route.fulfill({ json: { code: 'OK', data: { url } } });
    const data = '今天的用量已达上限，请明天再试';
    const headers = { 'Retry-After': '3600' };
    return route.fulfill({ status: 429, headers, json: { code: 'ERROR', data, error: 'QUOTA_REACHED' } });
  });
  await page.route('**/api/file/0*', (route) => route.fulfill({ body: picture, contentType: 'image/png' }));
  await desk.text.focus();
  await give(
    desk.text,
    'paste',
    Array.from({ length: 200 }, (_, number) => `山${number}.png`),
  );
  const list = page.getByRole('list', { name: '正在上传的图片' });
  await list.getByText('197 张没有传上去：今天的用量已达上限').waitFor();
  // Uploads run two at a time, so a few more have started by then.
  expect(asked).toBeLessThan(10);
  expect(await page.getByText('今天的用量已达上限').count()).toBe(1);
  await page.keyboard.type('接着写');
  await desk.text.getByText('接着写').waitFor();
  await list.getByRole('button', { name: '全部移除' }).click();
  await list.waitFor({ state: 'hidden' });
  // Nothing of the failed uploads remains, not even blank lines. Two uploads run at a time, so the pictures
  // are in order but their URLs may not be.
  const source = async () => (await desk.source()).replaceAll(/0{31}[123]-/g, '');
  const at = (number: number) => `![山${number}](/api/file/8x6.png)`;
  await expect.poll(source).toBe([at(0), at(1), at(2), '接着写'].join('\n\n'));
});

test('a picture is moved by dragging, in one undo step', async ({ page, desk }) => {
  await desk.open();
  await desk.title.fill('先后');
  await page.route('https://example.com/**', (route) =>
    route.fulfill({ body: picture, contentType: 'image/png' }),
  );
  await desk.write('前面一段\n\n- 一\n- 二\n\n后面一段\n\n![甲](https://example.com/a.png)');
  const handle = page.getByTitle('拖到文中要放的地方');
  // This row appears once the article is saved, and moves the handle.
  await page.getByRole('region', { name: '外链图片' }).waitFor();
  await handle.dragTo(desk.text.locator('.cm-line', { hasText: '前面一段' }), {
    targetPosition: { x: 2, y: 8 },
    steps: 5,
  });
  const rest = '前面一段\n\n- 一\n- 二\n\n后面一段';
  await expect.poll(desk.source).toBe(`![甲](https://example.com/a.png)\n\n${rest}`);
  await handle.dragTo(desk.text.locator('.cm-line', { hasText: '二' }), { steps: 5 });
  const between = '前面一段\n\n- 一\n- 二\n\n![甲](https://example.com/a.png)\n\n后面一段';
  await expect.poll(desk.source).toBe(between);
  await desk.text.focus();
  await page.keyboard.press('Control+z');
  await expect.poll(desk.source).toBe(`![甲](https://example.com/a.png)\n\n${rest}`);
});

test('a picture is moved past its neighbours by keys and buttons, and back', async ({ page, desk }) => {
  await desk.open();
  await desk.title.fill('先后');
  await desk.write('前\n\n![甲](https://example.com/a.png)\n\n后');
  await page.route('https://example.com/**', (route) =>
    route.fulfill({ body: picture, contentType: 'image/png' }),
  );
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  const first = '![甲](https://example.com/a.png)\n\n前\n\n后';
  await expect.poll(desk.source).toBe(first);
  await page.keyboard.press('Alt+ArrowUp');
  const row = page.getByRole('region', { name: '图片', exact: true });
  await row.getByRole('button', { name: '下移' }).click();
  await row.getByRole('button', { name: '下移' }).click();
  await expect.poll(desk.source).toBe('前\n\n后\n\n![甲](https://example.com/a.png)');
  await row.getByRole('button', { name: '下移' }).click();
  await page.getByText('已经在最后面了').waitFor();
  await desk.text.focus();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(desk.source).toBe(first);
});
