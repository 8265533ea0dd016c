import { expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test } from './fixtures.ts';
import { sizes } from './visit.ts';

test.for(looks(Object.entries(sizes)))(
  'a visitor reports an article without an account (%s)',
  async ([, viewport], { site, author, visit }) => {
    const id = await site.write(author, { title: `鹿柴 ${viewport.width}` });
    const { page } = await visit({ viewport });
    await page.goto(`/detail/${id}`);
    await page.getByRole('link', { name: '举报' }).first().click();
    const form = page.getByRole('form', { name: '举报' });
    const send = form.getByRole('button', { name: '举报' });
    await expectPage(form.getByRole('status')).toHaveText('已确认你不是机器人');
    await send.click();
    await expectPage(form.getByRole('alert').filter({ hasText: '请选择举报的理由' })).toBeVisible();
    await form.getByRole('radio').first().check();
    await send.click();
    await expectPage(form.getByRole('alert').filter({ hasText: '请填写邮箱' })).toBeVisible();
    expect(await violationsOf(page, { include: 'main' })).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await form.getByLabel('邮箱').fill('reader@mail.example');
    await form.getByLabel('邮箱').press('Enter');
    await page.getByText('处理的结果会发到你的邮箱').last().waitFor();
    await expectPage(form).toHaveCount(0);

    const { result } = await site.app.services.reports.list({ page: 1, pageSize: 10 });
    const reported = result.find((each) => each.id === id);
    expect(reported?.reports).toMatchObject([{ reporter: '访客 re…@mail.example' }]);
  },
);
