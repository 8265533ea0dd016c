import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { sitePages, type SitePage } from '../../src/lib/contract/rules/page-list.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { picture } from './give-pictures.ts';
import { sizes } from './visit.ts';

/**
 * Tests every page as a visitor and as an author, in both themes, on desktop, phone, and at 400 % zoom: axe
 * reports nothing, nothing scrolls sideways, and the console stays empty.
 */
const test = base.extend('pages', { scope: 'file' }, async ({ site, author }) => {
  const reader = await site.join('路人甲');
  const { comments, files, series } = site.app.services;
  const { _id } = await series.create({ title: '并发札记', description: '一月一篇', cover: '' }, author);
  const { url: cover } = await files.saveImage(author, picture);
  await site.write(author, {
    title: '上一篇',
    tags: ['Java'],
    series: _id,
    content: `![图](${cover})\n\n字`,
  });
  const article = await site.write(author, {
    title: '并发编程',
    content:
      '# 一\n\n正文。\n\n## 二\n\n```ts\nconst a = 1;\n```\n\n| 甲 | 乙 |\n| - | - |\n| 1 | 2 |\n\n- [x] 做完了',
    tags: ['Java', '并发'],
    series: _id,
    cover,
    licence: 'CC-BY-4.0',
    pinned: true,
  });
  const secret = await site.write(author, { title: '只给自己看', secret: true });
  const draft = await site.write(author, { title: '没写完', status: 'draft' });
  const comment = { page_id: article, reply_user: '', reply_content: '', request_id: '' };
  await comments.create({ ...comment, content: '写得真好' }, reader.viewer);
  await comments.create(
    { ...comment, content: '谢谢', reply_user: '路人甲', reply_content: '写得真好' },
    author,
  );
  const everybody = [
    ...(await findEveryPage(site.url, `/detail/${article}`)),
    `/home/${encodeURIComponent('正文')}`,
    '/home/zzzz',
  ];
  // The operator may see every page.
  await site.app.services.roles.set(AUTHOR, 'operator', null);
  const about = { kind: 'article', id: article, reason: 'spam', note: '' } as const;
  await site.app.services.reports.create(about, reader.viewer);
  const own = sitePages.filter(
    ({ isForSignedIn, path }) => isForSignedIn && !path.includes(':') && path !== '/report',
  );
  return {
    visitor: [...everybody, '/signin', '/signup', '/signup/name', '/setup', '/unsubscribe?token=a.b', '/404'],
    author: [
      ...everybody,
      `/detail/${secret}`,
      `/edit/${article}`,
      `/edit/${draft}`,
      ...own.map(({ path }) => path),
      '/comment/list?tab=sent',
      `/report?kind=article&id=${article}`,
    ],
  };
});

const shown = sitePages.filter(({ isCached, isDocument }) => isCached && !isDocument);

/** Returns one path for each publicly cached page, found by following links from `first`. */
async function findEveryPage(origin: string, first: string): Promise<string[]> {
  const found = new Map<SitePage, string>();
  const waiting = [first];
  for (const address of waiting) {
    // If two routes match, the later one is more specific.
    const page = sitePages.findLast(({ path }) => new URLPattern({ pathname: path }).test(origin + address));
    if (!page || !shown.includes(page) || found.has(page)) continue;
    found.set(page, address);
    const html = await (await fetch(origin + address)).text();
    waiting.push(...Array.from(html.matchAll(/<a [^>]*?href="(\/[^"#?]*)/g), ([, href = '']) => href));
  }
  const unseen = shown.filter((page) => !found.has(page));
  if (unseen.length > 0) throw new Error(`No link leads to ${unseen.map(({ path }) => path).join(', ')}`);
  return [...found.values()];
}

// WCAG 2.2 rules that axe does not enable by default.
const RULES = { 'target-size': { enabled: true } };

const OTHER = { light: 'dark', dark: 'light' } as const;
const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

describe.concurrent.each([
  ...looks([
    ['a visitor', 'visitor', 'light', sizes.desktop],
    ['a visitor', 'visitor', 'dark', sizes.phone],
  ] as const),
  ...looks([
    ['an author', 'author', 'light', sizes.phone],
    ['an author', 'author', 'dark', sizes.desktop],
  ] as const),
])('%s', (_, who, theme, viewport) => {
  test(`axe finds nothing on any page, ${theme}, ${viewport.width} px wide`, async ({ visit, pages }) => {
    const username = who === 'author' ? AUTHOR : undefined;
    const { context, page, forgive } = await visit({ viewport, reducedMotion: 'reduce', username });
    forgive(/^Failed to load resource: the server responded with a status of 404/);
    await context.addInitScript((chosen) => {
      // axe opens an empty page, which has no storage.
      if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
    }, theme);
    const found: string[] = [];
    for (const path of pages[who]) {
      await page.goto(path);
      // Islands that load without interaction have loaded once the network is idle.
      await page.waitForLoadState('networkidle');
      found.push(...(await violationsOf(page, { rules: RULES })).map((problem) => `${path} ${problem}`));
      await page.evaluate((other) => (document.documentElement.dataset['theme'] = other), OTHER[theme]);
      found.push(
        ...(await violationsOf(page, { only: ['color-contrast'] })).map(
          (problem) => `${path} other ${problem}`,
        ),
      );
      if (await isWide(page)) found.push(`${path} scrolls sideways`);
      await page.setViewportSize({ width: 320, height: 640 });
      if (await isWide(page)) found.push(`${path} scrolls sideways at 400 %`);
      await page.setViewportSize(viewport);
    }
    expect(found).toEqual([]);
  }, 900_000);
});
