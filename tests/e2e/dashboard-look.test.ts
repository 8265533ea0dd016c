import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit } from './visit.ts';

const TITLES = [
  '题'.repeat(120),
  'w'.repeat(120),
  '👩‍👩‍👧🎉'.repeat(24),
  'مرحبا بالعالم 你好',
  '<b>标记</b> &amp;',
];
const PATHS = ['/user/list', '/user/draft', '/comment/list', '/comment/list?tab=sent'];
const FULL = '林间';
const EMPTY = '新来的';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = [await openSite(), await launchBrowser()];
  const { viewer: author } = await site.join(FULL);
  const { viewer: reader } = await site.join('مرحبا_1');
  await site.join(EMPTY);
  for (const title of TITLES) {
    const page_id = await site.write(author, { title, secret: title.startsWith('w') });
    await site.write(author, { title, content: title.repeat(3), status: 'draft' });
    const words = { page_id, request_id: '', content: `${title}\n`.repeat(12) };
    const { comments } = site.app.services;
    await comments.create({ ...words, reply_user: '', reply_content: '' }, author);
    const reply = { ...words, reply_user: FULL, reply_content: words.content };
    if (!title.startsWith('w')) await comments.create(reply, reader);
  }
  for (let number = 1; number <= 8; number++) await site.write(author, { title: `第 ${number} 篇` });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const loaded = /^(共|最近的) ?\d/;

describe.each(Object.entries(sizes))('odd text (%s)', (_, viewport) => {
  test.each(PATHS)('is shown as text and breaks nothing on %s', async (path) => {
    const reader = await visit(browser, site, { username: FULL, viewport });
    const { page } = reader;
    await page.goto(path);
    await page.getByRole('status').filter({ hasText: loaded }).waitFor();
    await page.getByText('<b>标记</b> &amp;').first().waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
    // Nothing lies outside of the column, over its edge or under a neighbour's.
    const escaped = await page.locator('main').evaluate((main) => {
      const { right } = (main.querySelector('.column') ?? main).getBoundingClientRect();
      return [...main.querySelectorAll('li a, li button, li p')]
        .filter((element) => element.getBoundingClientRect().right > right + 1)
        .map((element) => element.outerHTML);
    });
    expect(escaped).toEqual([]);
    await reader.end();
  });
});

describe.each(['light', 'dark'])('axe finds nothing (%s)', (theme) => {
  test.each(PATHS.flatMap((path) => [FULL, EMPTY].map((username) => [path, username] as const)))(
    'on %s of %s',
    async (path, username) => {
      const reader = await visit(browser, site, { username, viewport: sizes.phone });
      const { page } = reader;
      await page.addInitScript((name) => localStorage.setItem('theme', name), theme);
      await page.goto(path);
      await page.getByRole('status').filter({ hasText: loaded }).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      await reader.end();
    },
  );
});

test('what a thumb acts on is at least 44 px high and wide', async () => {
  const reader = await visit(browser, site, { username: FULL, viewport: sizes.phone });
  const { page } = reader;
  for (const path of PATHS) {
    await page.goto(path);
    await page.getByRole('status').filter({ hasText: loaded }).waitFor();
    const small = await page
      .locator('main')
      .getByText(/^(编辑|删除|上一页|下一页|全部|公开|私密|我收到的|我发起的|展开)$/)
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.matches('a, button'))
          .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.height < 44 || box.width < 44)
          .map(({ text, box }) => `${text} ${box.width} × ${box.height}`),
      );
    expect(small).toEqual([]);
  }
  await reader.end();
});
