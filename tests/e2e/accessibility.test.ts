import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect } from 'vitest';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/**
 * Every page, as a visitor and as an author sees it, in both themes and on a phone: nothing for axe to find,
 * nothing in the console.
 */
const test = base.extend('pages', { scope: 'file' }, async ({ site, author }) => {
  const reader = await site.join('路人甲');
  const article = await site.write(author, {
    title: '并发编程',
    content:
      '# 一\n\n正文。\n\n## 二\n\n```ts\nconst a = 1;\n```\n\n| 甲 | 乙 |\n| - | - |\n| 1 | 2 |\n\n- [x] 做完了',
    tags: ['Java', '并发'],
  });
  const secret = await site.write(author, { title: '只给自己看', secret: true });
  const draft = await site.write(author, { title: '没写完', status: 'draft' });
  const comment = { page_id: article, reply_user: '', reply_content: '', request_id: '' };
  await site.app.services.comments.create({ ...comment, content: '写得真好' }, reader.viewer);
  await site.app.services.comments.create(
    { ...comment, content: '谢谢', reply_user: '路人甲', reply_content: '写得真好' },
    author,
  );
  const everybody = [
    '/home',
    `/home/${encodeURIComponent('正文')}`,
    '/home/zzzz',
    `/detail/${article}`,
    '/tag/list',
    '/tag/detail/Java',
    `/user/info/${encodeURIComponent('林间')}`,
    '/lab/list',
    '/lab/cup',
    '/changelog',
  ];
  return {
    visitor: [...everybody, '/signin', '/signup'],
    author: [
      ...everybody,
      `/detail/${secret}`,
      '/write',
      `/edit/${article}`,
      `/edit/${draft}`,
      '/user/list',
      '/user/draft',
      '/user/pictures',
      '/user/trash',
      '/comment/list',
      '/comment/list?tab=sent',
    ],
  };
});

describe.each([
  ['a visitor', 'visitor', 'light', sizes.desktop],
  ['a visitor', 'visitor', 'dark', sizes.phone],
  ['an author', 'author', 'light', sizes.phone],
  ['an author', 'author', 'dark', sizes.desktop],
] as const)('%s', (_, who, theme, viewport) => {
  test(`finds nothing in the way on any page, ${theme}, ${viewport.width} px wide`, async ({
    visit,
    pages,
  }) => {
    const username = who === 'author' ? AUTHOR : undefined;
    const { context, page } = await visit({ viewport, reducedMotion: 'reduce', username });
    await context.addInitScript((chosen) => {
      // axe opens an empty page of its own, which has no storage.
      if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
    }, theme);
    const found: string[] = [];
    for (const path of pages[who]) {
      await page.goto(path);
      // Islands that load by themselves have arrived when the network is quiet.
      await page.waitForLoadState('networkidle');
      const { violations } = await new AxeBuilder({ page }).analyze();
      for (const { id, nodes } of violations)
        found.push(`${path} ${id}: ${nodes.map((node) => node.html).join(' | ')}`);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (isWide) found.push(`${path} scrolls sideways`);
    }
    expect(found).toEqual([]);
  }, 300_000);
});
