import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const TITLES = [
  '题'.repeat(120),
  'w'.repeat(120),
  '👩‍👩‍👧🎉'.repeat(24),
  'مرحبا بالعالم 你好',
  '<b>标记</b> &amp;',
];
const PATHS = ['/user/list', '/user/draft', '/comment/list', '/comment/list?tab=sent'];
const EMPTY = '新来的';

/** `AUTHOR` has entries in every dashboard. */
const test = base.extend('full', { scope: 'file', auto: true }, async ({ site, author }) => {
  const { viewer: reader } = await site.join('مرحبا_1');
  await site.join(EMPTY);
  for (const title of TITLES) {
    const page_id = await site.write(author, { title, secret: title.startsWith('w') });
    await site.write(author, { title, content: title.repeat(3), status: 'draft' });
    const words = { page_id, request_id: '', content: `${title}\n`.repeat(12) };
    const { comments } = site.app.services;
    await comments.create({ ...words, reply_user: '', reply_content: '' }, author);
    const reply = { ...words, reply_user: AUTHOR, reply_content: words.content };
    if (!title.startsWith('w')) await comments.create(reply, reader);
  }
  for (let number = 1; number <= 8; number++) await site.write(author, { title: `第 ${number} 篇` });
});

const loaded = /^(共|最近的) ?\d/;

describe.each(looks(Object.entries(sizes)))('odd text (%s)', (_, viewport) => {
  test.for(PATHS)('is shown as text and breaks nothing on %s', async (path, { visit }) => {
    const { page } = await visit({ username: AUTHOR, viewport });
    await page.goto(path);
    await page.getByRole('status').filter({ hasText: loaded }).waitFor();
    await page.getByText('<b>标记</b> &amp;').first().waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
    // Nothing extends beyond the column, its edge or a neighbouring element.
    const escaped = await page.locator('main').evaluate((main) => {
      const { right } = (main.querySelector('.column') ?? main).getBoundingClientRect();
      return [...main.querySelectorAll('li a, li button, li p')]
        .filter((element) => element.getBoundingClientRect().right > right + 1)
        .map((element) => element.outerHTML);
    });
    expect(escaped).toEqual([]);
  });
});

describe.each(looks(['light', 'dark']))('axe finds nothing (%s)', (theme) => {
  test.for(PATHS.flatMap((path) => [AUTHOR, EMPTY].map((username) => [path, username] as const)))(
    'on %s of %s',
    async ([path, username], { visit }) => {
      const { page } = await visit({ username, viewport: sizes.phone });
      await page.addInitScript((name) => localStorage.setItem('theme', name), theme);
      await page.goto(path);
      await page.getByRole('status').filter({ hasText: loaded }).waitFor();
      const violations = await violationsOf(page);
      expect(violations).toEqual([]);
    },
  );
});

test('touch targets are at least 44 px high and wide', async ({ visit }) => {
  const { page } = await visit({ username: AUTHOR, viewport: sizes.phone });
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
});
