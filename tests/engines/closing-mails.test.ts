import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLOSING_DAYS } from '../../src/lib/contract/rules/closing.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { ENGINE } from '../engine.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import { FROM, openStaffStage, PASSWORD, type Person, type StaffStage } from './staff-stage.ts';

const ADDRESS = 'wei@mail.example';
const CLOSED = '你在「墨页」的账号已删除';

let mailbox: Mailbox;
let stage: StaffStage;
let wei: Person;
beforeEach(async () => {
  mailbox = await openMailbox();
  stage = await openStaffStage({ SMTP_URL: mailbox.url, SMTP_FROM: '墨页 <blog@mail.example>' });
  wei = await stage.signUp('王维');
  const row = { address: ADDRESS, address_key: ADDRESS, create_time: stage.now() };
  await stage.app.db.write((trx) =>
    trx
      .insertInto('user_emails')
      .values({ user_id: wei.viewer.id, ...row })
      .execute(),
  );
});
afterEach(async () => {
  await stage?.close();
  await mailbox?.close();
});

/** Sends what is due; returns the mails received since the last call. */
async function mails() {
  const { signal } = new AbortController();
  while ((await stage.app.services.notices.outbox.sendDue('mail', signal)) > 0);
  return mailbox.received.splice(0);
}
const close = (contents: 'keep' | 'remove') =>
  stage.app.services.closing.close(wei.viewer, { password: PASSWORD, contents }, FROM);
const linkIn = (text = '') => /closing#([\w-]+)/.exec(text)?.[1] ?? '';

test('a closing that takes effect is mailed once to the verified address, whichever nodes close', async () => {
  await stage.write(wei);
  expect(await close('keep')).toBe(false);
  const [scheduled] = await mails();
  // SQLite belongs to one node, which blocks while another one writes.
  const other = ENGINE === 'postgres' ? await stage.open() : stage.app;
  try {
    await stage.app.services.closing.closeDue(() => false);
    expect(await mails()).toEqual([]);
    stage.pass(CLOSING_DAYS * DAY_MS);
    const token = linkIn(scheduled?.text);
    const closed = await Promise.allSettled([
      stage.app.services.closing.closeDue(() => false),
      other.services.closing.closeDue(() => false),
      other.services.closing.decide({ token, action: 'now' }),
    ]);
    // The link is over if the others were faster.
    expect(closed.slice(0, 2)).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  } finally {
    if (other !== stage.app) await other.close();
  }
  await stage.app.services.closing.closeDue(() => false);
  const sent = await mails();
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[[ADDRESS], CLOSED]]);
  expect(sent[0]?.text).toContain('王维，你好');
  expect(sent[0]?.text).toContain('公开的文章和评论留在「已注销」名下');
  expect(sent[0]?.text).not.toContain('登录并修改密码');
  expect(sent[0]?.html).toContain('prefers-color-scheme:dark');
  expect(await stage.app.services.recovery.emailOf(wei.viewer.id)).toBeNull();
  expect(await stage.rows('select closed from users')).toEqual([{ closed: 'kept' }]);
  expect(await stage.rows(`select value from counters where name = 'users'`)).toMatchObject([{ value: 0 }]);
});

test('a closing by the link in the mail is mailed, too; a closing without a verified address is not', async () => {
  await close('remove');
  const token = linkIn((await mails())[0]?.text);
  await stage.app.services.closing.decide({ token, action: 'now' });
  const sent = await mails();
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[[ADDRESS], CLOSED]]);
  expect(sent[0]?.text).toContain('文章、评论和专栏也一起删除了');
  wei = await stage.signUp('裴迪');
  expect(await close('keep')).toBe(true);
  expect(await mails()).toEqual([]);
});

test('a closing that has begun cannot be stopped, and one that was stopped does not begin', async () => {
  const { articles, closing } = stage.app.services;
  await stage.write(wei);
  await close('remove');
  const token = linkIn((await mails())[0]?.text);
  stage.pass(CLOSING_DAYS * DAY_MS);
  // The owner changes their mind while the first article is being removed.
  let stops: Promise<PromiseSettledResult<void>[]> | undefined;
  stage.app.events.listen(() => {
    stops ??= Promise.allSettled([closing.stop(wei.viewer.id), closing.decide({ token, action: 'stop' })]);
  });
  await closing.closeDue(() => false);
  expect(await stops).toMatchObject([
    { status: 'rejected', reason: { code: 'LINK_OVER' } },
    { status: 'rejected', reason: { code: 'LINK_OVER' } },
  ]);
  expect((await mails()).map(({ subject }) => subject)).toEqual([CLOSED]);
  expect(await stage.rows('select closed from users')).toEqual([{ closed: 'removed' }]);

  wei = await stage.signUp('裴迪');
  await stage.app.db.write((trx) =>
    trx
      .insertInto('user_emails')
      .values({
        user_id: wei.viewer.id,
        address: 'pei@mail.example',
        address_key: 'pei@mail.example',
        create_time: 1,
      })
      .execute(),
  );
  const id = await stage.write(wei);
  await close('remove');
  await mails();
  stage.pass(CLOSING_DAYS * DAY_MS);
  const [stopped] = await Promise.allSettled([closing.stop(wei.viewer.id), closing.closeDue(() => false)]);
  // Either of them may be first; what the owner is told is what happened.
  const isKept = stopped?.status === 'fulfilled';
  const [mail, ...others] = (await mails()).map(({ subject }) => subject);
  expect([mail?.includes('不删除了'), others]).toEqual([isKept, []]);
  expect((await articles.findPublic(id)) !== null).toBe(isKept);
});
