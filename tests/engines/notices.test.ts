import { createServer as createTcp } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openMailbox } from './mailbox.ts';
import { ARTICLE, ORIGIN, setNoticeStage } from './notice-stage.ts';
import { newId } from '../../src/lib/server/shared/ids.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/contract/rules/units.ts';

const never = new AbortController().signal;
const stage = setNoticeStage();
const { now, pass, open, notify, sendMail, count, write, commentEvent } = stage;
const queueMail = (subject: string, more: { uniqueKey?: string } = {}) =>
  stage.app.db.write((trx) =>
    stage.notices.queueMail(trx, { to: 'a@example.com', subject, text: '正文', ...more }),
  );
const subjects = () => stage.mailbox.received.map(({ subject }) => subject);

describe('the outbox', () => {
  test('a notification of a failed transaction is never sent', async () => {
    const failed = stage.app.db.write(async (trx) => {
      await stage.notices.queueMail(trx, { to: 'a@example.com', subject: '没有发生', text: '' });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await sendMail()).toBe(0);
    expect(stage.mailbox.received).toEqual([]);
  });

  test('a notification is sent once, under its own id, and its content is deleted', async () => {
    await queueMail('你好');
    await queueMail('再见');
    expect(await sendMail()).toBe(2);
    expect(await sendMail()).toBe(0);
    expect(subjects().toSorted()).toEqual(['你好', '再见'].toSorted());
    const ids = stage.mailbox.received.map(({ header }) => header('Message-ID'));
    expect(new Set(ids).size).toBe(2);
    for (const mail of stage.mailbox.received) {
      expect(mail.header('Message-ID')).toBe(`<${mail.header('X-Moye-Delivery')}@blog.example.com>`);
      expect(mail.header('Auto-Submitted')).toBe('auto-generated');
    }
    expect(await stage.storage.count("select count(*) from outbox where payload != '' or target != ''")).toBe(
      0,
    );
  });

  test('of two notifications with one key only the first is sent, even later', async () => {
    await queueMail('一', { uniqueKey: 'approved:1' });
    await queueMail('二', { uniqueKey: 'approved:1' });
    await sendMail();
    await queueMail('三', { uniqueKey: 'approved:1' });
    await sendMail();
    expect(subjects()).toEqual(['一']);
  });

  test('two concurrent senders share the work', async () => {
    for (let number = 0; number < 12; number++) await queueMail(`第 ${number} 封`);
    const other = open();
    while ((await Promise.all([sendMail(), other.outbox.sendDue('mail', never)])).some((sent) => sent > 0));
    expect(new Set(subjects()).size).toBe(12);
    expect(stage.mailbox.received).toHaveLength(12);
  });

  test('a failed delivery is retried with growing pauses under the same id, and dropped after a day', async () => {
    await stage.mailbox.close();
    await queueMail('你好');
    const began = now();
    const waits: number[] = [];
    while ((await count('waiting')) > 0) {
      const due = await stage.storage.count('select due_time from outbox');
      if (due > now()) {
        waits.push(due - now());
        pass(due - now());
      }
      await sendMail();
    }
    const whole = waits.map((wait) => Math.round(wait / 60_000)).filter((wait) => wait > 0);
    expect(whole.slice(0, 4)).toEqual([1, 3, 10, 30]);
    expect(whole).toEqual(whole.toSorted((a, b) => a - b));
    expect(now() - began).toBeLessThanOrEqual(DAY_MS);
    expect(now() - began).toBeGreaterThan(18 * HOUR_MS);
    const { items, total } = await stage.notices.listDeliveries('dead', { offset: 0, limit: 10 });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({ kind: 'mail', title: '你好', target: 'a@example.com' });
    expect(items[0]?.problem).toContain('ECONNREFUSED');
    // The operator fixes the server and resends the mail.
    const id = items[0]?.delivery ?? '';
    stage.mailbox = await openMailbox();
    stage.notices = open();
    expect(await stage.app.db.write((trx) => stage.notices.outbox.revive(trx, [id, 'unknown']))).toBe(1);
    await sendMail();
    expect(stage.mailbox.received.map(({ header }) => header('X-Moye-Delivery'))).toEqual([id]);
  });

  test('a permanently refused address is dropped at once', async () => {
    await stage.mailbox.close();
    stage.mailbox = await openMailbox({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('no such user'), { responseCode: 550 })),
    });
    stage.notices = open();
    await queueMail('你好');
    await sendMail();
    expect(await count('dead')).toBe(1);
    expect(await stage.app.db.write((trx) => stage.notices.outbox.discard(trx, []))).toBe(0);
    const [item] = (await stage.notices.listDeliveries('dead', { offset: 0, limit: 10 })).items;
    expect(await stage.app.db.write((trx) => stage.notices.outbox.discard(trx, [item?.delivery ?? '']))).toBe(
      1,
    );
    expect(await stage.storage.count('select count(*) from outbox')).toBe(0);
  });

  test('a stopping server aborts a hanging mail, and the next server sends it', async () => {
    const silent = createTcp(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const hanging = open({ url: `smtp://127.0.0.1:${port}` });
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    hanging.outbox.start();
    await stage.app.db.write((trx) =>
      hanging.queueMail(trx, { to: 'a@example.com', subject: '你好', text: '' }),
    );
    await connected;
    // Writers do not wait for the mail server.
    await write();
    await hanging.outbox.stop();
    silent.close();
    expect(await sendMail()).toBe(1);
    expect(subjects()).toEqual(['你好']);
  });

  test('sent and dropped deliveries are deleted eventually', async () => {
    await queueMail('你好');
    await sendMail();
    pass(6 * DAY_MS);
    await stage.notices.outbox.purgeExpired();
    expect(await count('sent')).toBe(1);
    pass(2 * DAY_MS);
    await stage.notices.outbox.purgeExpired();
    expect(await count('sent')).toBe(0);
  });
});

describe('mails to users', () => {
  test('a comment is mailed to its addressee once, with unsubscribe links', async () => {
    const { articleId, commentId } = await write({ content: '返景<b>入</b>深林' });
    await notify(commentEvent(commentId));
    await notify(commentEvent(commentId));
    await sendMail();
    expect(stage.mailbox.received).toHaveLength(1);
    const [mail] = stage.mailbox.received;
    expect(mail?.to).toEqual(['wangwei@example.com']);
    expect(mail?.subject).toBe('[墨页] 裴迪 评论了你的文章《鹿柴》');
    expect(mail?.text).toContain('> 返景<b>入</b>深林');
    expect(mail?.text).toContain(`${ORIGIN}/detail/${articleId}/comment/${commentId}`);
    expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const link = /^<https:\/\/blog\.example\.com\/api\/notice\/unsubscribe\?token=([^>]+)>$/;
    const token = link.exec(mail?.header('List-Unsubscribe') ?? '')?.[1] ?? '';
    const forged = token.replace('-comment', '-comment-reply');
    expect(forged).not.toBe(token);
    for (const wrong of [`${token}x`, '', forged]) expect(await stage.notices.unsubscribe(wrong)).toBe(false);
    const kinds = async () => (await stage.notices.shownSettings(stage.author.id)).kinds;
    expect(await kinds()).toContain('comment');
    await notify(commentEvent((await write()).commentId));
    expect(await stage.notices.unsubscribe(token)).toBe(true);
    expect(await kinds()).toEqual(['reply', 'mention', 'moderation', 'report']);
    expect((await stage.notices.shownSettings(stage.author.id)).mode).toBe('now');
    // Not even one that already waited.
    await sendMail();
    await notify(commentEvent((await write()).commentId));
    expect(await sendMail()).toBe(0);
    expect(stage.mailbox.received).toHaveLength(1);
    const subject = { kind: 'article', id: '0' };
    const data = { result: 'hidden', text: '旧作', reason: '', path: '/user/list' } as const;
    await notify({ kind: 'moderation', userId: stage.author.id, subject, data });
    await sendMail();
    expect(subjects()).toContain('[墨页] 你的文章《旧作》已被隐藏');
    expect(await stage.notices.unsubscribe(token, true)).toBe(true);
    expect((await stage.notices.shownSettings(stage.author.id)).mode).toBe('off');
  });

  test('a comment deleted, or with its article hidden, before sending notifies no one', async () => {
    const [deleted, hidden] = [await write(), await write()];
    for (const { commentId } of [deleted, hidden])
      await notify({
        kind: 'comment',
        commentId,
        articleId: '',
        authorId: '',
        addressees: [{ userId: stage.reader.id, as: 'mention' }],
      });
    await stage.app.services.comments.remove(deleted.commentId, stage.author);
    await stage.app.services.articles.edit({ id: hidden.articleId, ...ARTICLE, secret: true }, stage.author);
    expect(await sendMail()).toBe(2);
    expect(stage.mailbox.received).toEqual([]);
    expect(await count('sent')).toBe(2);
  });

  test('a comment hidden before sending notifies once when unhidden', async () => {
    const { takedowns } = stage.app.services;
    const hook = { name: '值班', format: 'json', kinds: ['comment'], isOn: true, secret: 'geheim' } as const;
    const url = stage.site.urlOf('hooks.example.com', '/in');
    await stage.app.db.write((trx) => stage.notices.webhooks.save(trx, null, { ...hook, url }));
    const { commentId } = await write();
    const decide = (action: 'hide' | 'restore') =>
      takedowns.decide('comment', { ids: [commentId], action, note: '看一看' }, null);
    await notify(commentEvent(commentId));
    expect(await count('waiting')).toBe(2);
    await decide('hide');
    expect(await count('waiting')).toBe(0);
    expect([await sendMail(), await stage.sendHooks()]).toEqual([0, 0]);
    await decide('restore');
    await notify(commentEvent(commentId));
    expect([await sendMail(), await stage.sendHooks()]).toEqual([1, 1]);
    await decide('hide');
    await decide('restore');
    await notify(commentEvent(commentId));
    expect([await sendMail(), await stage.sendHooks()]).toEqual([0, 0]);
    expect([stage.mailbox.received.length, stage.bodies.length]).toEqual([1, 1]);
  });

  test('a delivery in progress when its comment is hidden is not repeated', async () => {
    const { takedowns } = stage.app.services;
    const { commentId } = await write();
    await notify(commentEvent(commentId));
    await stage.app.db.write((trx) =>
      trx
        .updateTable('outbox')
        .set({ tries: 1, due_time: now() + 60_000 })
        .execute(),
    );
    await takedowns.decide('comment', { ids: [commentId], action: 'hide', note: '看一看' }, null);
    expect(await count('waiting')).toBe(1);
  });

  test('users without an e-mail address, or who opted out, get no mail', async () => {
    stage.addresses.delete(stage.author.id);
    await notify(commentEvent((await write()).commentId));
    stage.addresses.set(stage.author.id, 'wangwei@example.com');
    await stage.notices.saveSettings(stage.author.id, { mode: 'now', kinds: ['reply'] });
    await notify(commentEvent((await write()).commentId));
    expect(await stage.storage.count('select count(*) from outbox')).toBe(0);
    // The address is removed before the mail is sent.
    await stage.notices.saveSettings(stage.author.id, { mode: 'now', kinds: ['comment'] });
    await notify(commentEvent((await write()).commentId));
    stage.addresses.delete(stage.author.id);
    await sendMail();
    expect(stage.mailbox.received).toEqual([]);
  });

  test('a digest covers a day, and is sent once at eight in the site’s time zone', async () => {
    await stage.notices.saveSettings(stage.author.id, { mode: 'daily', kinds: ['comment', 'moderation'] });
    for (const content of ['其一', '其二']) await notify(commentEvent((await write({ content })).commentId));
    const data = { result: 'hidden', text: '好诗', reason: '广告', path: '/comment/list' } as const;
    const subject = { kind: 'comment', id: newId() };
    await notify({ kind: 'moderation', userId: stage.author.id, subject, data });
    expect(await sendMail()).toBe(0);
    const due = await stage.storage.count('select min(due_time) from outbox');
    expect(await stage.storage.count('select count(distinct due_time) from outbox')).toBe(1);
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', timeStyle: 'short' });
    expect(hour.format(due)).toBe('08:00');
    expect(due - now()).toBeLessThanOrEqual(DAY_MS);
    pass(due - now());
    expect(await sendMail()).toBe(1);
    expect(await sendMail()).toBe(0);
    expect(subjects()).toEqual(['[墨页] 3 条新通知']);
    const text = stage.mailbox.received[0]?.text ?? '';
    for (const part of ['> 其一', '> 其二', '你的评论已被隐藏', '理由：广告', `${ORIGIN}/comment/list`])
      expect(text).toContain(part);
    // The next digest is a separate mail.
    await notify(commentEvent((await write()).commentId));
    pass(DAY_MS);
    expect(await sendMail()).toBe(1);
    const ids = stage.mailbox.received.map(({ header }) => header('Message-ID'));
    expect(new Set(ids).size).toBe(2);
  });
});
