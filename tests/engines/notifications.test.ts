import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallInput } from '../../src/lib/contract/calls/calls.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import { openStaffStage, PASSWORD, FROM, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let mailbox: Mailbox;
let wei: Person;
let di: Person;
let editor: Person;
beforeEach(async () => {
  mailbox = await openMailbox();
  stage = await openStaffStage({ SMTP_URL: mailbox.url, SMTP_FROM: '墨页 <blog@example.com>' });
  [wei, di, editor] = [await stage.signUp('王维'), await stage.signUp('裴迪'), await stage.signUp('老李')];
  await stage.app.services.roles.set('老李', 'editor', null);
  await stage.app.db.write(async (trx) => {
    for (const [{ viewer }, address] of [
      [wei, 'wei@example.com'],
      [di, 'di@example.com'],
    ] as const)
      await trx
        .insertInto('user_emails')
        .values({ user_id: viewer.id, address, address_key: address, create_time: stage.now() })
        .execute();
  });
});
afterEach(async () => {
  await stage?.close();
  await mailbox.close();
});

const services = () => stage.app.services;
type Filter = Partial<CallInput<'notificationList'>>;
const listOf = ({ viewer }: Person, filter: Filter = {}) =>
  services().notifications.list({ pageSize: 20, ...filter }, viewer);
const entriesOf = async (person: Person) =>
  (await listOf(person)).result.map(({ result, text, reason }) => [result, text, reason]);
const decide = (kind: 'article' | 'comment', id: string, action: 'hide' | 'restore' | 'delete', note = '') =>
  services().takedowns.decide(kind, { ids: [id], action, note }, editor.viewer.id);
/** Sends what is due after the period of a bulk action, and returns subjects by receiver. */
async function mails(): Promise<[string, string][]> {
  stage.pass(2 * 60_000);
  const { signal } = new AbortController();
  while ((await services().notices.outbox.sendDue('mail', signal)) > 0);
  return mailbox.received.splice(0).map(({ to, subject }) => [to[0] ?? '', subject]);
}

describe('a decision of staff', () => {
  test('is listed for its author with the reason, and for nobody else', async () => {
    await services().options.change({ holdArticles: 'all' }, null);
    const [approved, refused] = [await stage.write(wei, '鹿柴'), await stage.write(wei, '竹里馆')];
    expect(await entriesOf(wei)).toEqual([]);
    await decide('article', approved, 'restore');
    stage.pass(1);
    await decide('article', refused, 'hide', '请注明出处');
    stage.pass(1);
    await decide('article', approved, 'hide', '有人举报');
    stage.pass(1);
    await decide('article', approved, 'restore');
    expect(await entriesOf(wei)).toEqual([
      ['restored', '鹿柴', ''],
      ['hidden', '鹿柴', '有人举报'],
      ['refused', '竹里馆', '请注明出处'],
      ['approved', '鹿柴', ''],
    ]);
    expect((await listOf(wei)).result[0]).toMatchObject({
      kind: 'decision',
      subject: { kind: 'article', id: approved },
      title: '你的文章已恢复，现在所有人都看得到了',
      is_read: false,
    });
    for (const other of [di, editor]) expect(await entriesOf(other)).toEqual([]);
  });

  test('that fails leaves no notification', async () => {
    const id = await stage.write(wei, '鹿柴');
    const failed = stage.app.db.write(async (trx) => {
      const decision = { action: 'hide', note: '广告' } as const;
      await services().takedowns.decideIn(trx, 'article', id, decision, editor.viewer.id);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await entriesOf(wei)).toEqual([]);
  });

  test('of reports is listed for everyone who reported, without the title of what is hidden', async () => {
    const id = await stage.write(wei, '竹里馆');
    const page = { page: 1, pageSize: 10 };
    const { reports } = services();
    await reports.create({ kind: 'article', id, reason: 'spam', note: '' }, di.viewer);
    await reports.create({ kind: 'article', id, reason: 'abuse', note: '' }, editor.viewer);
    const [thing] = (await reports.list(page)).result;
    const read = { kind: 'article', id, version: thing?.version ?? '', report_num: 2 } as const;
    await reports.decide({ ...read, action: 'hide', reason: '广告' }, editor.viewer);
    expect(await entriesOf(di)).toEqual([['upheld', '举报的理由：广告、刷屏', '']]);
    expect(await entriesOf(editor)).toEqual([['upheld', '举报的理由：辱骂、人身攻击', '']]);
    expect(JSON.stringify(await listOf(di))).not.toContain('竹里馆');
    expect(await entriesOf(wei)).toEqual([['hidden', '竹里馆', '广告']]);
  });
});

describe('the list of notifications', () => {
  const many = (person: Person, count: number) =>
    stage.app.db.write(async (trx) => {
      for (let index = 0; index < count; index += 1)
        await services().notifications.add(trx, {
          userId: person.viewer.id,
          kind: index % 2 === 0 ? 'decision' : 'report',
          subject: { kind: 'article', id: 'a'.repeat(24) },
          data: { result: 'approved', text: `${index}`, reason: '', path: '' },
        });
    });

  test('is read in pages without gaps while new ones arrive, and filtered by kind', async () => {
    await many(wei, 7);
    const first = await listOf(wei, { pageSize: 3 });
    stage.pass(1_000);
    await many(wei, 2);
    const second = await listOf(wei, { pageSize: 3, cursor: first.cursor ?? '' });
    const third = await listOf(wei, { pageSize: 3, cursor: second.cursor ?? '' });
    const texts = [first, second, third].flatMap(({ result }) => result.map(({ text }) => text));
    expect(texts.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(third.cursor).toBeNull();
    expect((await listOf(wei, { kind: 'report' })).result).toHaveLength(4);
  });

  test('counts unread ones, marks those named or all as read, and tells live sockets', async () => {
    await many(wei, 3);
    await many(di, 1);
    const [one, two] = (await listOf(wei)).result;
    stage.events.length = 0;
    const { notifications } = services();
    expect(await notifications.markRead({ ids: [one?._id ?? ''], all: false }, wei.viewer)).toBe(2);
    expect(stage.events).toEqual([{ type: 'notifications-changed', userIds: [wei.viewer.id] }]);
    expect(await notifications.markRead({ ids: [two?._id ?? ''], all: false }, di.viewer)).toBe(1);
    expect((await listOf(wei, { unread: true })).result).toHaveLength(2);
    expect((await listOf(wei, { unread: false })).result.map(({ _id }) => _id)).toEqual([one?._id]);
    expect(await notifications.markRead({ ids: [], all: true }, wei.viewer)).toBe(0);
    stage.events.length = 0;
    await notifications.markRead({ ids: [], all: true }, wei.viewer);
    expect(stage.events).toEqual([]);
    expect((await notifications.countUnreadOf([wei.viewer.id, di.viewer.id])).get(di.viewer.id)).toBe(1);
  });

  test('is kept for 180 days, at most the newest 1,000, and ends with the account', async () => {
    const cui = await stage.signUp('崔兴宗');
    await many(cui, 1);
    stage.pass(1_000);
    await many(wei, 1_002);
    await services().notifications.purgeExpired();
    expect((await listOf(wei)).unread).toBe(1_000);
    await services().closing.close(cui.viewer, { password: PASSWORD, contents: 'keep' }, FROM);
    expect((await listOf(cui)).result).toEqual([]);
    stage.pass(180 * DAY_MS + 1_000);
    await services().notifications.purgeExpired();
    expect((await listOf(wei)).result).toEqual([]);
  });
});

describe('one action of staff is one mail', () => {
  test('a ban that hides many texts, with reason, end and their number, and its end', async () => {
    const other = await stage.write(di, '茱萸沜');
    for (const title of ['鹿柴', '竹里馆', '辛夷坞']) await stage.write(wei, title);
    await stage.comment(wei, other, '广告');
    await mails();
    const until = stage.now() + DAY_MS;
    await services().bans.ban({ username: '王维', until, reason: '多次发广告', hides: true }, null);
    expect(await mails()).toHaveLength(1);
    const [banned] = (await listOf(wei)).result;
    expect(banned).toMatchObject({ result: 'banned', reason: '多次发广告' });
    expect(banned?.title).toMatch(/^你的账号已被封禁到 .+，3 篇文章、1 条评论同时隐藏$/);
    await services().bans.unban('王维', null);
    expect(await mails()).toEqual([['wei@example.com', expect.stringContaining('你的账号已解除封禁')]]);
    expect((await entriesOf(wei)).map(([result]) => result)).toEqual(['unbanned', 'banned']);
  });

  test('a ban without hiding, and a ban that ends by itself', async () => {
    await stage.write(wei, '鹿柴');
    await mails();
    const order = { username: '王维', reason: '多次发广告' };
    await services().bans.ban({ ...order, until: null, hides: false }, null);
    expect(await mails()).toEqual([['wei@example.com', expect.stringContaining('你的账号已被永久封禁')]]);
    await services().bans.ban({ ...order, until: stage.now() + DAY_MS, hides: true }, null);
    expect(await mails()).toHaveLength(1);
    stage.pass(DAY_MS + 1_000);
    for (let hour = 0; hour < 2; hour++) await services().bans.showAfterBans(() => false);
    expect(await mails()).toEqual([['wei@example.com', expect.stringContaining('你的账号已解除封禁')]]);
  });

  test('a bulk decision, for each author', async () => {
    const own = [await stage.write(wei, '鹿柴'), await stage.write(wei, '竹里馆')];
    const ids = [...own, await stage.write(di, '茱萸沜')];
    await mails();
    const { takedowns } = services();
    const versions = await takedowns.versionsOf(
      'article',
      ids.map((id) => ({ id })),
    );
    const items = { ids, versions: ids.map((id) => versions.get(id) ?? '') };
    await takedowns.decideRead('article', { ...items, action: 'hide', note: '广告' }, editor.viewer.id);
    const sent = await mails();
    expect(sent).toHaveLength(2);
    expect(Object.fromEntries(sent)).toEqual({
      'di@example.com': expect.stringContaining('你的文章《茱萸沜》已被隐藏'),
      'wei@example.com': expect.stringContaining('2 条新通知'),
    });
    expect(await entriesOf(wei)).toHaveLength(2);
  });
});
