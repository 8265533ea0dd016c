import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { articleUrl, feedUrl, type FeedSubject } from '../../src/lib/shared/urls.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const TAG = '山水';
const ODD = '<b>粗</b> & 题';

const test = base.extend('written', { scope: 'file' }, async ({ site, author }) => {
  const { _id: series } = await site.app.services.series.create(
    { title: '辋川集', description: '二十首', cover: '' },
    author,
  );
  const write = (fields: object) => site.write(author, { tags: [TAG], series, ...fields });
  const first = await write({
    title: '鹿柴',
    content: '## 正文的标题\n\n空山不见人。',
    description: '空山不见人，但闻人语响。',
    create_time: Date.UTC(2026, 0, 2, 20),
  });
  return { series, first, odd: await write({ title: ODD, content: '题'.repeat(200) }) };
});

/** Visible texts of the document, element by element; an XML document has no innerText. */
const shown = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const { width, height } = element.getBoundingClientRect();
      const isSeen = element.checkVisibility() && width > 0 && height > 0;
      return own.length > 0 && isSeen ? [own.map(({ nodeValue }) => nodeValue).join('')] : [];
    }),
  );

describe.for(['rss', 'atom'] as const)('%s opened in a browser', (format) => {
  test.for(['site', 'user', 'tag', 'series'] as const)(
    'the feed of a %s is read as a page',
    async (kind, { page, written }) => {
      const name = { user: AUTHOR, tag: TAG, series: written.series };
      const subject: FeedSubject = kind === 'site' ? { kind } : { kind, name: name[kind] };
      const path = feedUrl(subject, format);
      await page.goto(path);
      const texts = await shown(page);
      for (const title of [ODD, '鹿柴']) expect(texts).toContain(title);
      expect(texts).toContain('空山不见人，但闻人语响。');
      // 20:00 UTC is the next day in the site's time zone.
      expect(texts).toContain('2026-01-03');
      expect(texts.filter((text) => text.includes(path))).toHaveLength(1);
      expect(texts.filter((text) => text.includes('阅读器'))).toHaveLength(1);
      const seen = texts.join('\n');
      expect(seen).not.toMatch(/<h2|<p>|GMT|T\d\d:|zh-CN/);
      expect(seen).toContain({ site: '墨页', user: AUTHOR, tag: TAG, series: '辋川集' }[kind]);
    },
  );

  test('its titles link to the articles, and nothing overflows on a phone', async ({
    browser,
    site,
    written,
  }) => {
    const context = await browser.newContext({ baseURL: site.url, viewport: sizes.phone, isMobile: true });
    const page = await context.newPage();
    await page.goto(feedUrl({ kind: 'tag', name: TAG }, format));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.phone.width);
    const { x, y } = (await page.getByText('鹿柴').boundingBox()) ?? { x: 0, y: 0 };
    const there = await page.evaluate((point) => document.elementFromPoint(...point)?.getAttribute('href'), [
      x + 5,
      y + 5,
    ] as const);
    expect(there).toContain(articleUrl(written.first));
    await context.close();
  });
});
