import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/** `AUTHOR` is the operator; one notification has failed permanently. */
const test = base.extend('stage', { scope: 'file', auto: true }, async ({ site, author }) => {
  const { app } = site;
  await app.services.roles.set(AUTHOR, 'operator', null);
  const hook = { name: '夜班群', format: 'wecom', kinds: ['report'], isOn: true } as const;
  const url = 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=geheim';
  await app.services.noticeConsole.saveWebhook(null, { ...hook, url }, author.id);
  await app.db.write(async (trx) => {
    await app.services.notices.notify(trx, {
      kind: 'report',

      title: '有人举报一篇文章',
      text: '',
      path: '/',
    });
    const given = { state: 'dead', tries: 9, settle_time: Date.now(), problem: '对方回答 502' } as const;
    await trx.updateTable('outbox').set(given).execute();
  });
});

describe.each(looks(Object.entries(sizes)))('notifications of the site (%s)', (_, viewport) => {
  test('an operator adds and removes a URL, and retries failed deliveries', async ({ visit, site }) => {
    const { page } = await visit({ username: AUTHOR, viewport });
    await page.goto('/admin/notices');
    await page.getByRole('button', { name: '添加' }).click();
    const form = page.getByRole('form', { name: '添加通知地址' });
    await form.getByRole('button', { name: '保存' }).click();
    await form.getByRole('alert').filter({ hasText: '请填写名称' }).waitFor();
    await form.getByLabel('名称').fill('值班群');
    await form.getByLabel('格式').selectOption('飞书群机器人');
    await form
      .getByRole('textbox', { name: '地址' })
      .fill('https://open.feishu.cn/open-apis/bot/v2/hook/secret-part');
    await form.getByLabel('有内容等待审核').uncheck();
    await form.getByRole('button', { name: '保存' }).click();
    await page.getByText('飞书群机器人 · https://open.feishu.cn · 读者的举报').waitFor();
    expect(await page.content()).not.toContain('secret-part');
    expect(await violationsOf(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);

    await page.getByRole('button', { name: '删除「值班群」' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
    await page.getByText('飞书群机器人').waitFor({ state: 'detached' });

    const dead = page.getByRole('listitem').filter({ hasText: '有人举报一篇文章' });
    await dead.getByText('对方回答 502').waitFor();
    await dead.getByRole('button', { name: '再试：有人举报一篇文章' }).click();
    await page.getByText('1 条通知会再发一次').waitFor();
    await dead.waitFor({ state: 'detached' });
    await site.app.db.write((trx) => trx.updateTable('outbox').set({ state: 'dead' }).execute());
  });
});

test('a link in a mail unsubscribes with one button, without script', async ({ visit }) => {
  const { page } = await visit({ javaScriptEnabled: false });
  await page.goto('/unsubscribe?token=0123456789abcdef01234567-comment.signature');
  await page.getByText('「有人评论我的文章」的邮件不再发到你的邮箱').waitFor();
  await page.getByRole('button', { name: '不再接收任何通知邮件' }).waitFor();
  await page.getByRole('button', { name: '不再接收这类邮件' }).click();
  await page.getByText('这个退订链接不完整').waitFor();
  await page.goto('/unsubscribe?token=broken.token');
  await page.getByRole('button', { name: '不再接收' }).click();
  await page.getByText('这个退订链接不完整').waitFor();
});
