import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import * as ids from '../../src/lib/shared/ids.ts';
import { AUTHOR, test as base } from './fixtures.ts';

/**
 * An article whose headings have the names of surrounding elements, and which contains its own time elements.
 */
const { ID_PREFIX } = ids;
const ours = Object.values(ids).filter((id) => typeof id === 'string' && id !== ID_PREFIX) as string[];
const words = ours.map((id) => id.slice(ID_PREFIX.length).replace(/-$/, ''));
// Titles that would produce an id with the prefix, without it, and as separate words.
const titles = [...ours, ...words, ...words.map((word) => word.replaceAll('-', ' ')), 'Toasts', 'v1.0.0'];
const TIME = '<time datetime="2020-01-01" title="2020-01-01 08:00" data-relative="">那年</time>';
const MARKED = '<h2 id="loading">旧编号</h2><p class="theme" client="load" data-for="user">样子</p>';

const test = base
  /** Adds a comment to an article; returns its id. */
  .extend('commentOn', { scope: 'file' }, ({ site, author }) => async (page_id: string) => {
    const input = { page_id, content: '好', reply_user: '', reply_content: '', request_id: '' };
    return (await site.app.services.comments.create(input, author))._id;
  })
  .extend('plain', { scope: 'file' }, async ({ site, author, commentOn }) => {
    const id = await site.write(author, { title: '平常', content: '一段话。\n\n'.repeat(100) });
    await commentOn(id);
    return id;
  })
  .extend('same', { scope: 'file' }, async ({ site, author, commentOn }) => {
    const id = await site.write(author, { title: '同名' });
    const comment = await commentOn(id);
    const headings = [...titles, `comment-${comment}`, `Comment ${comment}`];
    const marked = headings.map((title) => `## ${title}`);
    const content = [TIME, MARKED, ...marked, '脚注[^1]', '[^1]: 注'].join('\n\n');
    const fields = { title: '同名', tags: ['随笔'], status: 'normal' as const, secret: false, type: '' };
    await site.app.services.articles.edit({ ...fields, id, content }, author);
    return {
      path: `/detail/${id}`,
      asWritten: { headings: ['旧编号', ...headings], time: '那年', styled: 0 },
    };
  });

const written = (page: Page) =>
  page.locator('.prose').evaluate((prose) => ({
    headings: Array.from(prose.querySelectorAll('h2:not(.sr-only)'), (heading) => heading.textContent),
    time: prose.querySelector('time')?.textContent,
    styled: prose.querySelectorAll('.theme, [client], [data-for], [data-relative]').length,
  }));
/** Duplicate ids of the document, and ids outside the article that an article could also produce. */
const clashes = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll('[id]'), ...templates(document)];
    const all = elements.map(({ id }) => id);
    return {
      twice: all.filter((id, at) => all.indexOf(id) !== at),
      like: elements.filter((element) => !element.closest('.prose') && !/[A-Z]/.test(element.id)).length,
    };
    function templates(root: ParentNode): Element[] {
      return [...root.querySelectorAll('template')].flatMap(({ content }) => [
        ...content.querySelectorAll('[id]'),
      ]);
    }
  });

describe('an article whose headings are named like parts of the page', () => {
  test.for([undefined, AUTHOR])(
    'stays as it was written, and no id stands twice (signed in: %s)',
    async (username, { visit, same }) => {
      const { page } = await visit({ username });
      await page.goto(same.path);
      expect(await written(page)).toEqual(same.asWritten);
      expect(await clashes(page)).toEqual({ twice: [], like: 0 });
      await page.locator(`#${ids.COMMENTS_TITLE_ID}`).hover();
      await page.locator(`#${ids.COMMENTS_ID}:not(:has([data-comments]))`).waitFor();
      if (username !== undefined) {
        await page.getByRole('button', { name: '账户' }).click();
        await page.getByRole('link', { name: '我的草稿' }).waitFor();
      }
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      expect(await written(page)).toEqual(same.asWritten);
      expect(await clashes(page)).toEqual({ twice: [], like: 0 });
    },
  );

  test('has a working table of contents', async ({ page, same }) => {
    await page.goto(same.path);
    const wrong = await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLAnchorElement>('.detail-toc a, .prose a.anchor'), (link) => {
        const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
        const heading = target?.closest('h1, h2, h3, h4, h5, h6');
        const named = link.classList.contains('anchor') ? link.parentElement?.textContent : link.textContent;
        return heading?.textContent === named && heading?.closest('.prose') ? [] : [link.hash, named];
      }).flat(),
    );
    expect(wrong).toEqual([]);
    expect(await page.locator('.detail-toc li').count()).toBe(same.asWritten.headings.length);
  });

  test('does not interfere with the loading indicator, or the message for code that does not load', async ({
    guest,
    page,
    same,
  }) => {
    guest.forgive(/Failed to load|Failed to fetch|net::ERR/);
    await page.clock.install();
    await page.route('**/CommentThread*.js*', (route) => route.abort());
    await page.goto(`${same.path}#${ids.COMMENTS_ID}`);
    await expect
      .poll(async () => {
        await page.clock.runFor(1000);
        return page.getByRole('alert').filter({ hasText: '这部分没有加载出来' }).count();
      })
      .toBe(1);
    await page.route('**/tag/list', (route) => route.fulfill({ status: 204 }));
    await page.getByRole('banner').getByRole('link', { name: '标签' }).press('Enter');
    expect(await written(page)).toEqual(same.asWritten);
  });
});

describe('a URL from before element ids had a prefix', () => {
  test('leads to the comments, their box, and one comment', async ({ page, plain, commentOn }) => {
    const id = await commentOn(plain);
    await page.goto(`/detail/${plain}#comments`);
    const isSeen = (target: string) =>
      page.evaluate((name) => {
        const { top, bottom } = document.getElementById(name)?.getBoundingClientRect() ?? {};
        return top !== undefined && bottom !== undefined && top < innerHeight && bottom > 0;
      }, target);
    await expect.poll(() => isSeen(ids.COMMENTS_ID)).toBe(true);
    await page.goto(`/detail/${plain}?#comment-${id}`);
    await page.locator('li[aria-current=true]').waitFor();
    expect(await page.locator('li[aria-current=true]').getAttribute('id')).toBe(ids.commentId(id));
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await page.evaluate(() => (location.hash = 'comment-box'));
    await expect.poll(() => isSeen(ids.COMMENT_BOX_ID)).toBe(true);
  });

  test('leads to the heading of that name where the article has one', async ({ page, same }) => {
    await page.goto(`${same.path}#comments`);
    expect(await page.evaluate(() => document.querySelector(':target')?.tagName)).toBe('H2');
    expect(new URL(page.url()).hash).toBe('#comments');
  });
});
