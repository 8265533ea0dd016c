import { describe, expect } from 'vitest';
import { formatLocal, instantOf } from '../../src/lib/shared/time.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test } from './desk.ts';
import { sizes } from './visit.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';

const ZONE = 'Asia/Shanghai';
/** Tomorrow at that time in the site's time zone, in the format of the field. */
const tomorrow = (time: string) =>
  `${formatLocal(new Date(Date.now() + DAY_MS).toISOString(), ZONE).slice(0, 'YYYY-MM-DD'.length)}T${time}`;

describe.each(looks(Object.entries({ phone: sizes.phone, desktop: sizes.desktop })))(
  'a scheduled publication (%s)',
  (_, viewport) => {
    test.override('window', { viewport, timezoneId: 'America/New_York' });

    test('is set, shown, changed and cancelled in the editor', async ({ site, author, page, desk }) => {
      const { schedules } = site.app.services;
      const id = await site.write(author, { title: '明早发', tags: ['诗'], status: 'draft' });
      await desk.open(`/edit/${id}`);
      const dialog = page.getByRole('dialog', { name: '定时发布' });
      const time = dialog.getByLabel('发布时间');
      await desk.button('更多').click();
      await page.getByRole('menuitem', { name: '定时发布' }).click();
      await dialog.getByText('Asia/Shanghai').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await time.fill('2020-01-01T09:00');
      await dialog.getByRole('button', { name: '定时发布' }).click();
      await dialog.getByText('发布时间已经过去，请选一个以后的时间').waitFor();
      expect(await schedules.find(id, author)).toBeNull();

      const local = tomorrow('09:30');
      await time.fill(local);
      await dialog.getByRole('button', { name: '定时发布' }).dblclick();
      await page.getByText('已定时').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(await schedules.find(id, author)).toEqual({ publish_time: instantOf(local, ZONE) });
      const shown = page.getByRole('button', { name: `${local.replace('T', ' ')} 发布` });
      await shown.waitFor();
      await page.goto('/user/draft');
      const row = page.getByRole('listitem').filter({ hasText: '明早发' });
      await row.getByText(`${local.replace('T', ' ')} 发布`).waitFor();

      await desk.open(`/edit/${id}`);
      await shown.click();
      expect(await time.inputValue()).toBe(local);
      await dialog.getByRole('button', { name: '取消定时' }).click();
      await page.getByText('定时发布已取消').waitFor();
      await shown.waitFor({ state: 'detached' });
      expect(await schedules.find(id, author)).toBeNull();
    });
  },
);

describe('a scheduled publication', () => {
  test('saves the current text first, and reports missing fields', async ({ site, author, page, desk }) => {
    await desk.open();
    await desk.title.fill('新写的');
    await desk.write('还没有标签');
    const plan = async () => {
      await desk.button('更多').click();
      await page.getByRole('menuitem', { name: '定时发布' }).click();
      await page.getByRole('dialog').getByRole('button', { name: '定时发布' }).click();
    };
    await plan();
    await page.getByText('请至少填写 1 个标签').waitFor();
    await desk.pick('随笔');
    await plan();
    await page.waitForURL(/\/edit\/[0-9a-f]{24}$/);
    await page.getByText('已定时').waitFor();
    const id = page.url().slice(-24);
    expect(await site.app.services.schedules.find(id, author)).not.toBeNull();
    expect(await site.app.services.articles.readSource(id, author)).toMatchObject({
      status: 'draft',
      content: '还没有标签',
      tags: ['随笔'],
    });
  });

  test(
    'that was refused at its time says why, in editor and list',
    { tags: ['long'] },
    async ({ site, author, page, desk }) => {
      const id = await site.write(author, { title: '', content: '没有题目', status: 'draft' });
      const publish_time = new Date(Date.now() + 300).toISOString();
      await site.app.services.schedules.set({ id, publish_time }, author);
      const refused = () =>
        site.app.services.schedules.publishDue().then(() => site.app.services.schedules.find(id, author));
      await expect.poll(refused).toMatchObject({ problem: '请填写标题' });
      await page.goto('/user/draft');
      await page.getByText('定时发布失败：请填写标题').waitFor();
      await desk.open(`/edit/${id}`);
      await page.getByRole('button', { name: '定时发布失败：请填写标题' }).click();
      await page.getByRole('dialog').getByText('上次没有发布成功：请填写标题').waitFor();
    },
  );
});
