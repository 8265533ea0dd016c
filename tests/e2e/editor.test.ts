import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { deskOf, SAMPLE } from './desk.ts';
import { openSite, type Site } from './site.ts';
import { visit, type Visit } from './visit.ts';

let site: Site;
let browser: Browser;
let author: Viewer;
let current: Visit;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  author = (await site.join('林间')).viewer;
  await site.join('别人');
  await site.write(author, { title: '旧文', tags: ['随笔', 'Java', 'JavaScript'] });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  current = await visit(browser, site, { username: '林间' });
  page = current.page;
});
afterEach(() => current.end());

const { text, title, preview, button, source, open, write, pick, saved } = deskOf(() => page);

describe('who may write', () => {
  test('a visitor is sent to sign in, and back here', async () => {
    await current.context.clearCookies();
    for (const path of ['/write', '/edit/0123456789abcdef01234567']) {
      const response = await page.request.get(path, { maxRedirects: 0 });
      expect([response.status(), response.headers()['location']]).toEqual([
        302,
        `/signin?redirect=${encodeURIComponent(path)}`,
      ]);
    }
  });

  test('the page is nobody else’s: not kept, not indexed', async () => {
    const response = await page.goto('/write');
    expect(response?.headers()['cache-control']).toBe('private, no-store');
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
  });

  test.each(['0123456789abcdef01234567', 'theirs', 'not-an-id'])('nothing to edit at %s', async (asked) => {
    const other = await visit(browser, site, { username: '别人' });
    const id = asked === 'theirs' ? await site.write(author, { title: '林间的', status: 'draft' }) : asked;
    await other.page.goto(`/edit/${id}`);
    const sentence = other.page.getByRole('alert');
    await sentence.getByText('打不开这篇文章').waitFor();
    expect(await sentence.innerText()).toMatch(/文章不存在或已被删除|编号格式不正确|只能操作自己发布的内容/);
    expect(await sentence.innerText()).not.toContain('林间的');
    await sentence.getByRole('link', { name: '写新文章' }).waitFor();
    await other.end();
  });
});

describe('writing and publishing', () => {
  test('what is published looks as the preview did', async () => {
    await open();
    await title().fill('预览<b>与</b>发布');
    await pick('Java');
    await write(SAMPLE);
    await preview().getByText('注在这里').waitFor();
    const html = await preview().innerHTML();
    expect(html).toContain('class="tk-');
    await button('发布').click();
    await page.waitForURL(/\/detail\/[0-9a-f]{24}\/true$/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('预览<b>与</b>发布');
    expect(await page.locator('article .prose').innerHTML()).toBe(html);
  });

  test('保存草稿 leads to the drafts; an earlier text is published again as an update', async () => {
    await open();
    await title().fill('先放着');
    await write('还没写完');
    await button('保存草稿').click();
    await page.waitForURL('/user/draft');
    const id = await site.write(author, { title: '已发布', content: '旧的' });
    await open(`/edit/${id}`);
    expect(await source()).toBe('旧的');
    await text().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('，新的');
    await button('更新').click();
    await page.waitForURL(`/detail/${id}/true`);
    await page.getByText('旧的，新的').waitFor();
  });

  test('Ctrl+S saves and stays, from the title too; opened again it is all there', async () => {
    await open();
    await write('按键保存');
    await title().fill('快捷键');
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/edit\/[0-9a-f]{24}$/);
    await saved('已保存');
    await page.reload();
    await text().waitFor();
    expect([await title().inputValue(), await source()]).toEqual(['快捷键', '按键保存']);
  });

  test('deleting asks first', async () => {
    const id = await site.write(author, { title: '要删的', status: 'draft' });
    await open(`/edit/${id}`);
    await button('删除').click();
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await question.getByRole('button', { name: '取消' }).click();
    expect(page.url()).toContain(id);
    await button('删除').click();
    await question.getByRole('button', { name: '删除' }).click();
    await page.waitForURL('/user/draft');
    await page.goto(`/edit/${id}`);
    await page.getByText('文章不存在或已被删除').waitFor();
  });

  test('what is missing is said where it is missing, and the first has the focus', async () => {
    await open();
    await write('只有正文');
    await button('发布').click();
    await page.getByText('请填写标题').waitFor();
    await page.getByText('请至少填写 1 个标签').waitFor();
    expect(await title().evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await title().getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('题');
    expect(await page.getByText('请填写标题').count()).toBe(0);
    await title().fill('😀'.repeat(121));
    await page.getByText('标题不能超过 120 个字符，现在有 121 个').waitFor();
  });

  test('a paste that would not fit is refused as a whole', async () => {
    await open();
    await write('留着');
    await text().evaluate((element) => {
      const data = new DataTransfer();
      data.setData('text/plain', '长'.repeat(200_001));
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.getByText('正文不能超过 200,000 个字符').waitFor();
    expect(await source()).toBe('留着');
  });
});
