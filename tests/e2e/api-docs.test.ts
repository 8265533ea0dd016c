import { describe, expect } from 'vitest';
import { apiCallId } from '../../src/lib/shared/ids.ts';
import { test as base } from './fixtures.ts';

const test = base.extend('page', async ({ browser, site }, { onCleanup }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  onCleanup(() => context.close());
  return context.newPage();
});

/** Also run on an edge front (tests/edge/api-docs.test.ts). */
describe('the description of the API', () => {
  test('leads from its contents to a call with fields, bounds, scope and an example', async ({ page }) => {
    await page.goto('/api/docs');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('接口说明');
    const contents = page.getByRole('navigation', { name: '目录' });
    await contents.locator('summary', { hasText: '文章' }).click();
    await contents.getByRole('link', { name: '新建文章或草稿' }).click();
    expect(new URL(page.url()).hash).toBe(`#${apiCallId('articleCreate')}`);
    const shown = await page.locator(`#${apiCallId('articleCreate')}`).innerText();
    for (const part of ['POST /api/page/new', 'articles:write', '最多 120 字', 'ACCOUNT_FULL', 'curl'])
      expect(shown).toContain(part);
  });

  test('is printed whole, without navigation', async ({ page }) => {
    await page.goto('/api/docs');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
    expect(await page.locator(`#${apiCallId('articleCreate')}`).isVisible()).toBe(true);
  });

  test('is also a file for programs, which caches may check', async ({ page }) => {
    const read = (headers = {}) => page.request.get('/api/openapi.json', { headers });
    const first = await read();
    expect([first.status(), first.headers()['cache-control']]).toEqual([200, 'public, max-age=300']);
    expect(await first.json()).toMatchObject({ openapi: '3.1.1', paths: { '/api/page/new': {} } });
    const again = await read({ 'If-None-Match': first.headers()['etag'] });
    expect([again.status(), again.headers()['etag']]).toEqual([304, first.headers()['etag']]);
  });
});
