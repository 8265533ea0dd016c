import { expect, test } from 'vitest';
import { ARTICLE, ORIGIN, setNoticeStage } from './notice-stage.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { palette } from '../../src/lib/shared/palette.ts';

const stage = setNoticeStage();
const { notify, sendMail, write, commentEvent, pass } = stage;
const COMMENT = { reply_user: '', reply_content: '', request_id: '' };
const newest = () => stage.mailbox.received.at(-1);

test('mails of all kinds share one layout for phones and dark mode', async () => {
  await notify(commentEvent((await write()).commentId));
  await stage.app.db.write((trx) =>
    stage.notices.queueMail(trx, {
      to: 'a@example.com',
      subject: '确认邮箱',
      text: '王维，你好：\n\n请打开链接。\n\nhttps://blog.example.com/verify#a',
      button: '确认邮箱',
    }),
  );
  await sendMail();
  await stage.notices.testMail('a@example.com');
  await stage.app.services.roles.set(stage.reader.username, 'operator', null);
  stage.addresses.set(stage.reader.id, 'pei@example.com');
  await stage.notices.sendAlarm({ title: '磁盘快满了', text: '只剩 3 MB', key: 'disk' });
  expect(stage.mailbox.received).toHaveLength(4);
  for (const { html } of stage.mailbox.received) {
    expect(html).toMatch(/<div role="main"[^>]*><h1 [^>]*><a href="[^"]*"[^>]*>墨页<\/a><\/h1>/);
    expect(html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1" />');
    expect(html).toContain('<meta name="color-scheme" content="light dark" />');
    expect(html).toContain(`background-color:${palette.light.paper}`);
    expect(html).toMatch(
      new RegExp(
        String.raw`prefers-color-scheme:dark\)\{\.page\{background-color:${palette.dark.paper} !important`,
      ),
    );
    expect(html).toContain('Songti SC');
  }
  const letter = stage.mailbox.received.find(({ subject }) => subject === '确认邮箱');
  expect(letter?.html).toMatch(/<a href="https:\/\/blog\.example\.com\/verify#a"[^>]*>确认邮箱<\/a>/);
  expect(letter?.text).toContain('\n\nhttps://blog.example.com/verify#a\n\n');
});

test('a comment is quoted as plain text, and its markup stays text', async () => {
  const content = '**好**诗，见[辋川](https://example.com/w)和 `<b>`';
  await notify(commentEvent((await write({ content })).commentId));
  await sendMail();
  expect(newest()?.text).toContain('> 好诗，见辋川和 <b>');
  expect(newest()?.text).toContain('https://example.com/w');
  expect(newest()?.text).not.toContain('**');
  expect(newest()?.html).toContain('好诗，见辋川和 &#x3C;b>');
});

test('a digest lists comments below their article, and other notices below their kind', async () => {
  await stage.notices.saveSettings(stage.author.id, { mode: 'daily', kinds: ['comment', 'moderation'] });
  const { articles, comments } = stage.app.services;
  const add = async (title: string) => (await articles.create({ ...ARTICLE, title }, stage.author)).id;
  const [deer, bamboo] = [await add('鹿柴'), await add('竹里馆')];
  for (const [articleId, content] of [
    [deer, '其一'],
    [bamboo, '其二'],
    [deer, '其三'],
  ] as const) {
    const { _id } = await comments.create({ ...COMMENT, page_id: articleId, content }, stage.reader);
    await notify(commentEvent(_id, articleId));
  }
  const subject = { kind: 'article', id: bamboo };
  const data = { result: 'hidden', text: '旧作', reason: '广告', path: '/user/list' } as const;
  const decided = { ...data, text: '旧评' };
  await notify({
    kind: 'moderation',
    userId: stage.author.id,
    subject: { kind: 'comment', id: deer },
    data: decided,
  });
  await notify({ kind: 'moderation', userId: stage.author.id, subject, data });
  pass(DAY_MS);
  expect(await sendMail()).toBe(1);
  const { text = '', html = '' } = newest() ?? {};
  const order = ['—— 《鹿柴》 ——', '其一', '其三', '—— 《竹里馆》 ——', '其二', '审核和处理的结果', '旧作'];
  expect(order.map((part) => text.indexOf(part))).toEqual(
    order.map((part) => text.indexOf(part)).toSorted((a, b) => a - b),
  );
  expect(order.every((part) => text.includes(part))).toBe(true);
  expect(text).toContain('裴迪 评论了\n');
  expect(text).toContain('> 旧评\n\n理由：广告\n');
  expect(html).toContain(`href="${ORIGIN}/detail/${bamboo}"`);
});

test('mails to staff name title and author of pending and reported content', async () => {
  const { services } = stage.app;
  await services.roles.set(stage.reader.username, 'operator', null);
  const titles = async () =>
    (await stage.app.db.read.selectFrom('outbox').select('payload').execute()).map(
      ({ payload }) => (JSON.parse(payload) as { title?: string }).title,
    );
  // The site's own services notify through their own outbox, which uses the same table.
  const hook = {
    name: '值班',
    format: 'json',
    kinds: ['held', 'report'],
    isOn: true,
    secret: 'geheim',
  } as const;
  await services.noticeConsole.saveWebhook(
    null,
    { ...hook, url: 'https://hooks.example.com/in' },
    stage.reader.id,
  );
  await services.options.change({ holdComments: 'all', holdArticles: 'all' }, null);
  const add = await services.auth.addUser({
    username: '崔兴宗',
    password: 'correct horse',
    gender: 'x',
    bio: '',
  });
  const guest = { ...stage.author, id: add, username: '崔兴宗' };
  await services.articles.create({ ...ARTICLE, title: '送春' }, guest);
  expect(await titles()).toContain('等待审核：崔兴宗 的文章《送春》');
  await services.options.change({ holdArticles: 'none' }, null);
  const { id } = await services.articles.create(ARTICLE, stage.author);
  await services.comments.create({ ...COMMENT, page_id: id, content: '待审' }, guest);
  expect(await titles()).toContain('等待审核：崔兴宗 在《鹿柴》下的评论');
  const report = { id, reason: 'spam', note: '' } as const;
  await services.reports.create({ kind: 'article', ...report }, guest);
  await services.reports.create({ kind: 'user', ...report, id: '王维' }, guest);
  expect(await titles()).toContain('有人举报了王维 的文章《鹿柴》');
  expect(await titles()).toContain('有人举报了用户 王维');
  await services.takedowns.decide('article', { ids: [id], action: 'hide', note: '广告' }, stage.reader.id);
  await services.articles.edit({ ...ARTICLE, id, content: '空山不见人' }, stage.author);
  expect(await titles()).toContain('修改后重新提交：王维 的文章《鹿柴》');
  await services.options.change({ holdComments: 'none' }, null);
});
