import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const WRITER = '路人甲';
const WORD = '代购';

/** `AUTHOR` is the operator; articles of others must be approved. */
const test = base.extend('writer', { scope: 'file' }, async ({ site, author }) => {
  const { roles, options, words } = site.app.services;
  await roles.set(author.username, 'operator', null);
  await options.change({ holdArticles: 'all' }, null);
  await words.add([WORD], { category: '广告', action: 'hold' }, null);
  return (await site.join(WRITER)).viewer;
});

describe.each([
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
] as const)('%s, %s', (size, theme) => {
  test(
    'an article is read, refused, submitted again, approved, and its change too',
    {
      tags: ['long'],
    },
    async ({ site, writer, visit }) => {
      const title = `山居秋暝 ${size} ${theme}`;
      const fields = { title, tags: ['诗'], type: '', status: 'normal' as const, secret: false };
      const text = `空山新雨后，天气晚来秋。可以${WORD}。`.repeat(9);
      const { id } = await site.app.services.articles.create({ ...fields, content: text }, writer);
      const edit = (content: string) => site.app.services.articles.edit({ ...fields, id, content }, writer);
      const open = async (username: string) => {
        const opened = await visit({ username, viewport: sizes[size], reducedMotion: 'reduce' });
        await opened.context.addInitScript((chosen) => {
          if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
        }, theme);
        return opened.page;
      };
      const [staff, own] = [await open(AUTHOR), await open(WRITER)];
      const look = async (page: typeof staff) => {
        expect(await violationsOf(page, { exclude: '[data-type=notice]' })).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
      };
      const item = staff.getByRole('article', { name: `文章《${title}》` });
      const dialog = staff.getByRole('dialog', { name: '文章全文' });
      const read = async () => {
        await staff.goto('/admin/held');
        await item.getByRole('button', { name: /^看全文/ }).click();
        await dialog.getByRole('region', { name: '正文' }).waitFor();
      };

      // Staff reads the whole article with the listed word, in the console and on its page, and refuses it.
      await read();
      expect(await dialog.locator('mark', { hasText: WORD }).count()).toBeGreaterThan(1);
      await look(staff);
      await dialog.getByRole('link', { name: '在页面上看' }).click();
      await staff.getByText('你以站务身份阅读').waitFor();
      await staff.locator('.prose mark', { hasText: WORD }).first().waitFor();
      await look(staff);
      await staff.goto('/admin/held');
      await item.getByRole('button', { name: /^不予通过/ }).click();
      await item.getByRole('textbox', { name: '理由，作者会看到' }).fill('不要广告');
      await item.getByRole('textbox').press('Enter');
      await item.waitFor({ state: 'detached' });

      // The author sees the reason on the page and in the list, and submits the changed article.
      await own.goto(`/detail/${id}`);
      const note = own.getByRole('note').filter({ hasText: '未通过：不要广告' });
      await note.waitFor();
      await look(own);
      const approved = '空山新雨后，天气晚来秋。'.repeat(9);
      await edit(approved);
      await own.goto('/user/list');
      await own.getByText('审核中', { exact: true }).waitFor();
      expect(await own.getByRole('button', { name: /^重新提交/ }).count()).toBe(0);
      await own.getByRole('region', { name: '审核结果' }).getByText('不要广告').waitFor();
      await look(own);

      // Staff sees what has changed, and approves it.
      await read();
      await dialog.getByRole('region', { name: /^和上次审核时/ }).waitFor();
      await look(staff);
      await staff.keyboard.press('Escape');
      await item.getByRole('button', { name: /^通过/ }).click();
      await item.waitFor({ state: 'detached' });

      // A large change waits while readers see the approved text.
      await edit(`${approved}本店新到一批明前好茶，欢迎各位新老朋友光临选购，数量有限。`);
      await own.goto('/user/list');
      await own.getByText('改动审核中').waitFor();
      await read();
      await dialog.getByRole('region', { name: '批准后的改动' }).waitFor();
      await look(staff);
      await staff.keyboard.press('Escape');
      await item.getByRole('button', { name: /^通过/ }).click();
      await item.waitFor({ state: 'detached' });
      await own.goto(`/detail/${id}`);
      await own.locator('.prose').getByText('本店新到一批明前好茶').waitFor();
    },
  );
});
