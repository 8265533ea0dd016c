import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { tagUrl } from '../../src/lib/shared/urls.ts';
import { looks } from './looks.ts';
import { test as base } from './fixtures.ts';

const LONG_WORD = `https://example.com/${'a'.repeat(90)}`;
const ODD_TAGS = ['签'.repeat(30), 'C++', 'a/b', '..', '.', 'a%0ab', '100%', '%2F', 'a?b', 'a#b'];
const ARTICLE = `开头一段。

<--阅读全文-->

## 线程池

${'一段足够长的正文，把后面的标题推到屏幕之外。'.repeat(120)}

### 拒绝策略

\`\`\`java
public final class VeryLongLineOfCode { private static final String VALUE = "${'x'.repeat(200)}"; }
\`\`\`

${'又一段正文。'.repeat(300)}

## 小结

| 甲 | 乙 | 丙 |
| --- | --- | --- |
| ${'宽'.repeat(60)} | ${LONG_WORD} | 3 |

${LONG_WORD}
`;

/** Reads pages without JavaScript. Chromium's messages about missing pages are ignored. */
const test = base
  .extend('written', { scope: 'file', auto: true }, async ({ site }) => {
    const { viewer, token } = await site.join('林间');
    const reader = await site.join('路人甲');
    for (let number = 1; number <= 23; number++) {
      const fields = { title: `第 ${number} 篇`, content: `这是第 ${number} 篇的正文。` };
      await site.write(viewer, { ...fields, create_time: Date.UTC(2026, 0, number) });
    }
    await site.write(viewer, { title: '题'.repeat(120), content: LONG_WORD, tags: ODD_TAGS });
    const draft = { title: '未写完的草稿', content: '草稿里的秘密词', status: 'draft' as const };
    const secret = { title: '只给自己看', content: '私密里的秘密词', secret: true };
    const ids = {
      article: await site.write(viewer, { title: '并发编程', content: ARTICLE, tags: ['Java', '并发'] }),
      draft: await site.write(viewer, draft),
      secret: await site.write(viewer, secret),
    };
    const comment = { page_id: ids.article, reply_user: '', reply_content: '', request_id: '' };
    await site.app.services.comments.create({ ...comment, content: '写得真好 <b>赞</b>' }, reader.viewer);
    await site.app.services.comments.create(
      { ...comment, content: '谢谢', reply_user: '路人甲', reply_content: '写得真好 <b>赞</b>' },
      viewer,
    );
    return { ...ids, token };
  })
  .extend('page', async ({ browser, site }, { onCleanup }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
    onCleanup(() => context.close());
    return context.newPage();
  });

const titles = (page: Page) => page.locator('main article h2').allInnerTexts();

describe('browsing without JavaScript', () => {
  test('the root leads to the list, newest first, ten a page', async ({ page }) => {
    const response = await page.goto('/');
    expect(response?.status()).toBe(200);
    expect(new URL(page.url()).pathname).toBe('/home');
    const shown = await titles(page);
    expect(shown).toHaveLength(10);
    expect(shown.slice(0, 3)).toEqual(['并发编程', '题'.repeat(120), '第 23 篇']);
  });

  test('paging shows every article once and ends with the list', async ({ page }) => {
    await page.goto('/home');
    const seen = await titles(page);
    for (const number of ['2', '3']) {
      await page
        .getByRole('navigation', { name: '分页' })
        .getByRole('link', { name: new RegExp(`${number}( |$|页)`) })
        .first()
        .click();
      await page.waitForLoadState();
      expect(new URL(page.url()).searchParams.get('page')).toBe(number);
      seen.push(...(await titles(page)));
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });

  test('any page= is answered with a page that exists', async ({ page }) => {
    for (const asked of ['0', '-1', '99', 'x', '1e9', '']) {
      const response = await page.goto(`/home?page=${asked}`);
      expect(response?.status(), asked).toBe(200);
      expect((await titles(page)).length, asked).toBeGreaterThan(0);
    }
  });

  test('the search form finds, highlights and keeps the words, without drafts and secret articles', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/home');
    await page.getByLabel('搜索标题或内容').first().fill('线程池');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname !== '/home');
    expect(decodeURIComponent(new URL(page.url()).pathname)).toBe('/home/线程池');
    expect(await titles(page)).toEqual(['并发编程']);
    expect(await page.locator('main article mark').first().innerText()).toBe('线程池');
    await page.goto(`/home/${encodeURIComponent('秘密词')}`);
    expect(await titles(page)).toEqual([]);
  });

  test('searching for anything answers with a page, never an error', async ({ page }) => {
    const odd = 'C++ % " * a/b .. . a%0ab 100% %2F \\ ? # 😀'.split(' ');
    for (const words of [...odd, "<script>alert('x')</script>", '第 2']) {
      const response = await page.goto(`/home?keywords=${encodeURIComponent(words)}`);
      expect(response?.status(), words).toBe(200);
      expect(await page.locator('main').innerText()).toContain(words);
    }
  });

  test('unknown addresses lead to the 404 page, which says so in its status', async ({ page }) => {
    for (const path of [
      '/nope',
      '/detail/000000000000000000000000',
      '/detail/not-an-id',
      '/tag/detail/没有',
      '/user/info/没有',
      '/a/b/c.php',
    ]) {
      const response = await page.goto(path);
      expect(new URL(page.url()).pathname, path).toBe('/404');
      expect(response?.status(), path).toBe(404);
      expect(await page.getByRole('link').count(), path).toBeGreaterThan(0);
    }
  });

  test('an article without an id leads to the tags', async ({ page }) => {
    await page.goto('/detail');
    expect(new URL(page.url()).pathname).toBe('/tag/list');
  });

  test('the other pages are there and have one heading of the first level', async ({ page }) => {
    const lists = ['/tag/list', '/lab/list', '/user/info/林间', '/tag/detail/Java'];
    for (const path of [...lists, '/lab/cup', '/changelog']) {
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(200);
      expect(await page.locator('h1').count(), path).toBe(1);
    }
  });

  test('tags with odd names lead to their articles', { tags: ['long'] }, async ({ page }) => {
    for (const tag of ODD_TAGS) {
      await page.goto('/tag/list');
      const inList = page.locator(`main a[href="${tagUrl(tag)}"]`).first();
      if ((await inList.count()) === 0) await page.goto('/tag/list?page=2');
      await inList.click();
      await page.waitForLoadState();
      expect(await titles(page), tag).toEqual(['题'.repeat(120)]);
      await page.getByRole('link', { name: '题'.repeat(120) }).click();
      await page.getByRole('link', { name: `#${tag}`, exact: true }).click();
      await page.waitForLoadState();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(tag);
      expect(await titles(page), tag).toEqual(['题'.repeat(120)]);
    }
  });

  test('a profile lists the public articles alone', async ({ page }) => {
    await page.goto('/user/info/林间');
    const seen = await titles(page);
    await page.goto('/user/info/林间?page=3');
    seen.push(...(await titles(page)));
    expect(seen).not.toContain('未写完的草稿');
    expect(seen).not.toContain('只给自己看');
    expect(await page.locator('main').innerText()).toContain('25');
  });
});

describe('reading without JavaScript', () => {
  /** Distance in pixels from the top of the window, once the page has jumped in the next frame. */
  const whereIs = (page: Page, name: string) => async () =>
    (await page.getByRole('heading', { name }).last().boundingBox())?.y;
  const isBetween = (from: number, to: number) => (y: number) => y >= from && y < to;

  test.for([
    ['on a wide screen', 1440],
    ['on a phone', 390],
  ] as const)('the table of contents jumps to its headings %s', async ([, width], { page, written }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/detail/${written.article}`);
    const folded = page.locator('details:has(a[href^="#"]) > summary').locator('visible=true');
    if ((await folded.count()) > 0) await folded.first().click();
    const link = page.locator('a[href^="#"]:visible', { hasText: '小结' }).first();
    await link.click();
    await expect.poll(whereIs(page, '小结')).toSatisfy(isBetween(0, 800));
  });

  test('numbered anchors and slugs both lead to a heading', async ({ page, written }) => {
    for (const hash of ['#h2-2', `#${encodeURIComponent('小结')}`]) {
      await page.goto('about:blank');
      await page.goto(`/detail/${written.article}${hash}`);
      await expect.poll(whereIs(page, '小结'), { message: hash }).toSatisfy(isBetween(0, 720));
    }
  });

  test('the article is complete without its fold line, with comments below, newest first and escaped', async ({
    page,
    written,
  }) => {
    await page.goto(`/detail/${written.article}/true`);
    const main = page.locator('main');
    expect(await main.innerText()).not.toContain('阅读全文--');
    expect(await page.locator('pre.code').count()).toBe(1);
    const text = await main.innerText();
    expect(text).toContain('写得真好 <b>赞</b>');
    expect(text.indexOf('谢谢')).toBeLessThan(text.lastIndexOf('写得真好 <b>赞</b>'));
    expect(text).toContain('作者');
  });

  test('only its author sees a draft or secret, and no cache may keep it', async ({
    site,
    page,
    written,
  }) => {
    for (const id of [written.draft, written.secret]) {
      expect((await page.goto(`/detail/${id}`))?.status()).toBe(404);
    }
    await page.context().addCookies([{ name: 'token', value: written.token, url: site.url }]);
    for (const id of [written.draft, written.secret]) {
      const response = await page.goto(`/detail/${id}`);
      expect(response?.status()).toBe(200);
      expect(response?.headers()['cache-control']).toBe('private, no-store');
      expect(await page.locator('main').innerText()).toContain('秘密词');
    }
  });
});

describe('layout', () => {
  const paths = (article: string) => [
    '/home',
    '/home/第',
    '/home/没有这样的词',
    `/detail/${article}`,
    '/tag/list',
    '/tag/detail/Java',
    '/user/info/林间',
    '/lab/list',
    '/lab/cup',
    '/changelog',
    '/api/docs',
    '/404',
  ];

  test.for(looks([390, 900, 1440]))('nothing scrolls sideways at %i px', async (width, { page, written }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of paths(written.article)) {
      await page.goto(path);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBe(0);
    }
  });

  test('the links above an article of a list are large enough to touch', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/home');
    const links = await page.getByRole('article').locator('.card-note').getByRole('link').all();
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const { width = 0, height = 0 } = (await link.boundingBox()) ?? {};
      expect([await link.textContent(), width >= 24, height >= 24]).toEqual([
        await link.textContent(),
        true,
        true,
      ]);
    }
  });

  test('with JavaScript on, no page logs an error, breaks its policy or asks another origin', async ({
    browser,
    site,
    written,
  }) => {
    const scripted = await browser.newContext({ baseURL: site.url });
    const tab = await scripted.newPage();
    const problems: string[] = [];
    tab.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        problems.push(`${tab.url()}: ${message.text()}`);
    });
    tab.on('pageerror', (error) => problems.push(`${tab.url()}: ${error.message}`));
    tab.on('request', (request) => {
      if (!request.url().startsWith(site.url)) problems.push(`${tab.url()} asks ${request.url()}`);
    });
    for (const path of paths(written.article).filter((path) => path !== '/404')) await tab.goto(path);
    await scripted.close();
    expect(problems).toEqual([]);
  });
});
