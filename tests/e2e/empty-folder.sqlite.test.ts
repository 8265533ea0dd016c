import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { temporaryFolder, spawnServer } from '../api/spawn.ts';
import { openMailbox } from '../engines/mailbox.ts';
import { eventually } from '../eventually.ts';
import { violationsOf } from './axe.ts';
import { sharedBrowser } from './browser.ts';
import { sizes } from './visit.ts';

const PASSWORD = '松风吹解带，山月照弹琴';
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#2b6a4d"/></svg>';

/** Saves the form of a section of the settings. */
async function save(page: Page, form: string): Promise<void> {
  await page.getByRole('form', { name: form }).getByRole('button', { name: '保存' }).click();
  await page.getByText('已保存').first().waitFor();
}

/** Opens a section of the settings once its form is there. */
async function openSection(page: Page, path: string, form: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('form', { name: form }).waitFor();
}

/** RECORD_DIR keeps a trace (`npx playwright show-trace`) and screenshots of the site. */
test('an empty folder becomes a site with the browser alone', { tags: ['long'] }, async () => {
  await using folder = await temporaryFolder();
  await using stack = new AsyncDisposableStack();
  const server = spawnServer({ DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'warn' });
  stack.defer(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });
  const mailbox = await openMailbox();
  stack.defer(() => mailbox.close());
  let printed = '';
  server.child.stdout?.on('data', (text: string) => (printed += text));
  const baseURL = await server.url;
  const link = await eventually(() => {
    const [found] = /http\S+\/setup#\S+/.exec(printed) ?? [];
    if (found === undefined) throw new Error(printed);
    return found;
  });

  const browser = await sharedBrowser();
  const context = await browser.newContext({ baseURL, viewport: sizes.desktop, reducedMotion: 'reduce' });
  stack.defer(() => context.close());
  const record = process.env['RECORD_DIR'];
  if (record !== undefined) {
    await mkdir(record, { recursive: true });
    await context.tracing.start({ screenshots: true, snapshots: true });
    stack.defer(() => context.tracing.stop({ path: join(record, 'empty-folder.zip') }));
  }
  const page = await context.newPage();

  await page.goto(link);
  await page.getByLabel('用户名').fill('山居');
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('确认密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('站名').fill('空山');
  await page.getByLabel('一句话简介').fill('山居秋暝，随意春芳歇');
  await page.getByRole('radio', { name: '画册' }).check();
  await page.getByRole('button', { name: '设置', exact: true }).click();
  await page.waitForURL('**/admin/start');

  await openSection(page, '/admin/options', '网站');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mark.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(MARK) });
  await save(page, '网站');

  await page.goto('/admin/pages');
  await page.getByRole('button', { name: '写「关于」' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '新建', exact: true }).click();
  await page.waitForURL('**/edit/*');
  await page.locator('.cm-content').click();
  await page.keyboard.type('这里记山中的日子。');
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await page.waitForURL('**/p/about');

  await openSection(page, '/admin/options/nav', '导航');
  await page.getByRole('button', { name: '加一项' }).click();
  await page
    .getByLabel(/^第 \d+ 项的文字$/)
    .last()
    .fill('关于');
  await page
    .getByLabel(/^第 \d+ 项的地址$/)
    .last()
    .fill('/p/about');
  await page
    .getByRole('listitem')
    .filter({ has: page.getByText('/friends', { exact: true }) })
    .getByRole('combobox')
    .selectOption('header');
  await save(page, '导航');

  await page.goto('/admin/friends');
  await page.getByRole('button', { name: '添加友链' }).click();
  await page.getByLabel('网站名称').fill('竹里馆');
  await page.getByLabel('网址', { exact: true }).fill('https://friend.example');
  await page.getByRole('dialog').getByRole('button', { name: '添加', exact: true }).click();
  await page.getByText('竹里馆').waitFor();

  const { hostname, port } = new URL(mailbox.url);
  await openSection(page, '/admin/options/mail', '邮件');
  await page.getByLabel('邮件服务器').fill(hostname);
  await page.getByLabel('加密').selectOption('any');
  await page.getByLabel('端口').fill(port);
  await page.getByLabel('发件人').fill('空山 <blog@example.com>');
  await page.getByLabel('你自己的密码').fill(PASSWORD);
  await save(page, '邮件');
  await page.getByLabel('发到哪个邮箱').fill('reader@example.com');
  await page.getByRole('button', { name: '发一封测试邮件' }).click();
  await page.getByText('邮件服务器已经收下', { exact: true }).waitFor();
  expect(mailbox.received.map(({ to }) => to)).toEqual([['reader@example.com']]);

  await openSection(page, '/admin/options/backup', '备份');
  await page.getByLabel('多久备份一次').selectOption({ label: '每天' });
  await page.getByLabel('存到哪里').fill(join(folder.path, 'backup'));
  await page.getByLabel('你自己的密码').fill(PASSWORD);
  await save(page, '备份');
  await page.getByRole('button', { name: '马上备份一次' }).click();
  const archive = page.getByRole('listitem').filter({ hasText: '核对能不能恢复' });
  await archive.getByRole('button', { name: /^核对/ }).click();
  await archive.getByText(/^能恢复：/).waitFor();

  for (const [size, viewport] of Object.entries(sizes)) {
    const readers = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' });
    stack.defer(() => readers.close());
    const reader = await readers.newPage();
    for (const path of ['/home', '/p/about', '/friends']) {
      await reader.goto(path);
      await reader.getByRole('link', { name: '空山', exact: true }).first().waitFor();
      expect(await violationsOf(reader)).toEqual([]);
      expect(await reader.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
      if (record !== undefined)
        await reader.screenshot({
          path: join(record, `${size}${path.replaceAll('/', '-')}.png`),
          fullPage: true,
        });
    }
    await reader.getByRole('link', { name: '竹里馆' }).waitFor();
    expect(await reader.locator('html').getAttribute('data-list')).toBe('cards');
    for (const address of ['/p/about', '/friends'])
      expect(await reader.locator(`header nav a[href="${address}"]`).count()).toBeGreaterThan(0);
  }
});
