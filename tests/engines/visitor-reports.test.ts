import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReportKind } from '../../src/lib/contract/rules/report-reasons.ts';
import { solve } from '../proof.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import { FROM, openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const EMAIL = 'Reader@mail.example';
const page = { page: 1, pageSize: 10 };
const never = new AbortController().signal;

let mailbox: Mailbox;
let stage: StaffStage;
let wei: Person;
let staff: Person;
beforeEach(async () => {
  mailbox = await openMailbox();
  stage = await openStaffStage({
    SMTP_URL: mailbox.url,
    SMTP_FROM: '墨页 <blog@mail.example>',
    RATE_LIMIT: 'on',
  });
  [wei, staff] = [await stage.signUp('王维'), await stage.signUp('裴迪')];
  await stage.app.services.roles.set('裴迪', 'operator', null);
});
afterEach(async () => {
  await stage?.close();
  await mailbox?.close();
});

const prove = async () => solve(await stage.app.services.humans.ask());
const report = async (id: string, fields: { email?: string; check?: string; address?: string } = {}) => {
  const { address = FROM.address, email = EMAIL, check = await prove() } = fields;
  const input = { kind: 'article', id, reason: 'spam', note: '', email, check } as const;
  await stage.app.services.reports.createByVisitor(input, { address });
};
const decide = async (id: string, action?: 'hide', kind: ReportKind = 'article') => {
  const { reports } = stage.app.services;
  const listed = (await reports.list(page)).result.find((each) => each.id === id);
  const { version = '', report_num = 0 } = listed ?? {};
  const decision = { kind, id, action, reason: '含有广告', version, report_num } as const;
  return reports.decide(decision, staff.viewer);
};

test('a visitor reports an item once with a proof and an address; staff sees the address partly', async () => {
  const id = await stage.write(wei);
  await expect(report(id, { check: 'none' })).rejects.toMatchObject({ code: 'CHECK_FAILED' });
  const input = { kind: 'article', id, reason: 'spam', note: '', email: EMAIL, check: undefined } as const;
  const { reports } = stage.app.services;
  await expect(reports.createByVisitor(input, FROM)).rejects.toMatchObject({ code: 'CHECK_NEEDED' });
  expect(await reports.countOpen()).toBe(0);
  const check = await prove();
  await report(id, { check });
  await expect(report(id, { check, email: 'b@mail.example' })).rejects.toMatchObject({
    code: 'CHECK_FAILED',
  });
  await expect(report(id, { email: 'reader@mail.example' })).rejects.toMatchObject({
    code: 'REPORTED_ALREADY',
  });
  const secret = await stage.write(wei, '私事', true);
  await expect(report(secret)).rejects.toMatchObject({ code: 'ARTICLE_NOT_FOUND' });
  const [listed] = (await reports.list(page)).result;
  expect(listed?.reports).toMatchObject([{ reporter: '访客 re…@mail.example', reason: 'spam' }]);
});

test('an address makes five reports a day, a client ten an hour', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 11; number++) ids.push(await stage.write(wei, `第 ${number} 篇`));
  for (const id of ids.slice(0, 5)) await report(id);
  await expect(report(ids[5] ?? '')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  stage.pass(25 * 3_600_000);
  await report(ids[5] ?? '');
  for (const id of ids.slice(0, 9)) await report(id, { email: `${id}@mail.example` });
  await expect(report(ids[9] ?? '', { email: 'c@mail.example' })).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  });
  await report(ids[9] ?? '', { email: 'c@mail.example', address: '198.51.100.1' });
});

describe('everyone who reported gets an answer', () => {
  let cui: Person;
  beforeEach(async () => {
    cui = await stage.signUp('崔兴宗');
    const row = { address: 'cui@mail.example', address_key: 'cui@mail.example', create_time: 1 };
    await stage.app.db.write((trx) =>
      trx
        .insertInto('user_emails')
        .values({ user_id: cui.viewer.id, ...row })
        .execute(),
    );
  });
  const reportAs = (kind: ReportKind, id: string) =>
    stage.app.services.reports.create({ kind, id, reason: 'spam', note: '' }, cui.viewer);
  /** Sends what is due; returns the mails to an address. */
  const sentTo = async (address: string) => {
    const { outbox } = stage.app.services.notices;
    while ((await outbox.sendDue('mail', never)) > 0);
    return mailbox.received.filter(({ to }) => to[0] === address);
  };
  const subjects = async (address: string) =>
    (await sentTo(address)).map(({ subject }) => subject).toSorted();

  test('accounts with the title that they see, visitors without any', async () => {
    const [bad, good] = [await stage.write(wei, '买药'), await stage.write(wei, '鹿柴')];
    for (const id of [bad, good]) {
      await report(id);
      await reportAs('article', id);
    }
    expect([await decide(bad, 'hide'), await decide(good)]).toEqual([2, 2]);
    expect(await subjects('reader@mail.example')).toEqual(
      [
        '你在「墨页」举报的文章已经处理，谢谢你',
        '你在「墨页」举报的文章，站务看过了，没有另外处理',
      ].toSorted(),
    );
    expect(await subjects('cui@mail.example')).toEqual(
      [
        '[墨页] 你举报的 王维 的文章已经处理，谢谢你',
        '[墨页] 你举报的 王维 的文章《鹿柴》，站务看过了，没有另外处理',
      ].toSorted(),
    );
    for (const { raw, text, html } of mailbox.received) {
      expect(`${raw}${text}${html}`).not.toContain('买药');
    }
    for (const { text, html } of await sentTo('reader@mail.example'))
      expect(`${text}${html}`).not.toContain('鹿柴');
    // The list inside the site stays readable for 180 days, so it names nothing (decision 0103).
    const listed = await stage.app.services.notifications.list({ pageSize: 20 }, cui.viewer);
    expect(listed.result.map(({ title }) => title).toSorted()).toEqual(
      ['你举报的文章已经处理，谢谢你', '你举报的文章，站务看过了，没有另外处理'].toSorted(),
    );
  });

  test('comments and accounts are named, too', async () => {
    const id = await stage.write(wei, '鹿柴');
    const comment = await stage.comment(wei, id, '广告');
    await reportAs('comment', comment);
    await reportAs('user', '王维');
    expect([
      await decide(comment, 'hide', 'comment'),
      await decide(wei.viewer.id, undefined, 'user'),
    ]).toEqual([1, 1]);
    expect(await subjects('cui@mail.example')).toEqual(
      [
        '[墨页] 你举报的 王维 在《鹿柴》下的评论已经处理，谢谢你',
        '[墨页] 你举报的用户 王维，站务已经看过',
      ].toSorted(),
    );
  });

  test('as the item is visible when the mail is sent', async () => {
    const [article, other] = [await stage.write(wei, '买药'), await stage.write(wei, '鹿柴')];
    const comment = await stage.comment(wei, other, '广告');
    for (const id of [article, other]) await reportAs('article', id);
    await reportAs('comment', comment);
    for (const id of [article, other]) await decide(id);
    await decide(comment, undefined, 'comment');
    const { takedowns, bans } = stage.app.services;
    await takedowns.decide('article', { ids: [article], action: 'hide', note: '广告' }, staff.viewer.id);
    await bans.ban({ username: '王维', until: null, reason: '广告', hides: true }, null);
    expect(await subjects('cui@mail.example')).toEqual(
      [
        '[墨页] 你举报的文章，站务看过了，没有另外处理',
        '[墨页] 你举报的文章，站务看过了，没有另外处理',
        '[墨页] 你举报的评论，站务看过了，没有另外处理',
      ].toSorted(),
    );
  });
});
