import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hiddenByBan } from '../../src/lib/server/db/migrations/0042-hidden-by-ban.ts';
import { FROM, openStaffStage, PASSWORD, type Person, type StaffStage } from './staff-stage.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';

const REASON = '多次发广告';

let stage: StaffStage;
let wei: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  wei = await stage.signUp('王维');
});
afterEach(() => stage?.close());

const ban = (
  more: { until?: number | null; hides?: boolean; username?: string } = {},
  actor: Person | null = null,
) =>
  stage.app.services.bans.ban(
    { username: '王维', until: null, reason: REASON, hides: false, ...more },
    actor && { ...actor.viewer },
  );
const signIn = (password = PASSWORD) => stage.app.services.auth.signin({ username: '王维', password }, FROM);

describe('a ban', () => {
  test('ends every sign-in at once, in every process, and prevents new ones until it ends', async () => {
    const other = await stage.open();
    const second = await signIn();
    stage.events.length = 0;
    await ban({ until: stage.now() + DAY_MS });
    expect(stage.events.filter(({ type }) => type === 'signed-out')).toHaveLength(2);
    for (const { token } of [wei, second])
      expect(await other.services.auth.viewerOf(token)).toMatchObject({ viewer: null });
    for (const { refresh_token } of [wei, second])
      await expect(other.services.auth.refresh(refresh_token)).rejects.toMatchObject({
        code: 'SIGNIN_REQUIRED',
      });
    await expect(signIn()).rejects.toMatchObject({ code: 'ACCOUNT_BANNED' });
    expect(await stage.app.db.read.selectFrom('signins').selectAll().execute()).toEqual([]);
    stage.pass(DAY_MS + 1000);
    const { token } = await signIn();
    expect((await other.services.auth.viewerOf(token)).viewer?.username).toBe('王维');
    await other.close();
  });

  test('is shown with end and reason only for the right password', async () => {
    await ban({ until: Date.UTC(2098, 10, 30, 16) });
    await expect(signIn('不是这个密码')).rejects.toMatchObject({
      code: 'SIGNIN_FAILED',
      message: '用户名或密码错误',
    });
    await expect(signIn()).rejects.toMatchObject({
      message: `这个账号已被封禁到 2098年12月1日 00:00，原因：${REASON}`,
    });
    await ban();
    await expect(signIn()).rejects.toMatchObject({ message: `这个账号已被永久封禁，原因：${REASON}` });
  });

  test('is in force until it ends, even for a sign-in that still exists', async () => {
    await stage.app.db.write((trx) =>
      trx
        .updateTable('users')
        .set({ banned_until: stage.now() + DAY_MS, ban_reason: REASON })
        .where('id', '=', wei.viewer.id)
        .execute(),
    );
    const { auth } = stage.app.services;
    expect((await auth.viewerOf(wei.token)).viewer).toBeNull();
    await expect(auth.refresh(wei.refresh_token)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    stage.pass(DAY_MS + 1);
    expect((await auth.refresh(wei.refresh_token)).token).toBeTruthy();
  });

  test('stops scheduled publications of the account', async () => {
    const fields = { title: '定时', content: '广告', tags: ['诗'], type: '', secret: false };
    const { articles, schedules } = stage.app.services;
    const { id } = await articles.create({ ...fields, status: 'draft' }, wei.viewer);
    await schedules.set({ id, publish_time: new Date(stage.now() + 60_000).toISOString() }, wei.viewer);
    await ban();
    stage.pass(120_000);
    expect(await schedules.publishDue()).toBe(0);
    expect(await articles.find(id, null)).toBeNull();
    expect((await schedules.find(id, wei.viewer))?.problem).toBe('这个账号已被封禁');
  });

  test('hides public content if chosen, until it is lifted or expires, and nothing else', async () => {
    const [kept, gone] = [await stage.write(wei, '鹿柴'), await stage.write(wei, '竹里馆')];
    const di = await stage.signUp('裴迪');
    const other = await stage.write(di, '茱萸沜');
    const remark = await stage.comment(wei, other, '广告');
    const { articles, comments, takedowns, bans } = stage.app.services;
    await takedowns.decide('article', { ids: [gone], action: 'hide', note: '另有原因' }, null);
    const shown = async () => [
      (await articles.find(kept, null)) !== null,
      (await articles.find(gone, null)) !== null,
      (await comments.pageOf(other, remark, null)) !== null,
    ];
    await ban({ hides: false });
    expect(await shown()).toEqual([true, false, true]);
    await ban({ hides: true, until: stage.now() + DAY_MS });
    expect(await shown()).toEqual([false, false, false]);
    await bans.unban('王维', null);
    expect(await shown()).toEqual([true, false, true]);
    await ban({ hides: true, until: stage.now() + DAY_MS });
    await bans.showAfterBans(() => false);
    expect(await shown()).toEqual([false, false, false]);
    stage.pass(DAY_MS + 1);
    await bans.showAfterBans(() => false);
    expect(await shown()).toEqual([true, false, true]);
  });

  test('does not restore what staff hid with the same words', async () => {
    const id = await stage.write(wei, '鹿柴');
    const { articles, takedowns, bans } = stage.app.services;
    await takedowns.decide('article', { ids: [id], action: 'hide', note: '账号被封禁期间隐藏' }, null);
    await ban({ hides: true });
    await bans.unban('王维', null);
    expect(await articles.find(id, null)).toBeNull();
  });

  test('of an older version restores what it has hidden', async () => {
    const id = await stage.write(wei, '鹿柴');
    const { app } = stage;
    await ban({ hides: true });
    await app.db.write(async (trx) => {
      await sql`alter table withheld_items drop column hidden_by_ban`.execute(trx);
      for (const statement of hiddenByBan[app.db.engine]) await sql.raw(statement).execute(trx);
    });
    await app.services.bans.unban('王维', null);
    expect(await app.services.articles.find(id, null)).not.toBeNull();
  });

  test('no longer restores what staff has hidden since, even without a reason', async () => {
    const id = await stage.write(wei, '鹿柴');
    const { articles, takedowns, bans } = stage.app.services;
    await ban({ hides: true });
    expect(await takedowns.decide('article', { ids: [id], action: 'hide', note: '' }, null)).toEqual([id]);
    await bans.unban('王维', null);
    expect(await articles.find(id, null)).toBeNull();
  });

  test('editors ban authors, operators also editors, and no one bans an operator or themselves', async () => {
    const { roles } = stage.app.services;
    const [editor, operator] = [await stage.signUp('站务'), await stage.signUp('站长')];
    await roles.set('站务', 'editor', null);
    await roles.set('站长', 'operator', null);
    const asEditor = { ...editor, viewer: { ...editor.viewer, role: 'editor' as const } };
    const asOperator = { ...operator, viewer: { ...operator.viewer, role: 'operator' as const } };
    const refused = { code: 'NOT_ALLOWED' };
    await stage.signUp('另一站务');
    await roles.set('另一站务', 'editor', null);
    await expect(ban({ username: '另一站务' }, asEditor)).rejects.toMatchObject(refused);
    await expect(ban({ username: '站务' }, asEditor)).rejects.toMatchObject(refused);
    await expect(ban({ username: '站长' }, asOperator)).rejects.toMatchObject(refused);
    await expect(ban({ username: '站长' })).rejects.toMatchObject(refused);
    expect(await ban({ username: '另一站务' }, asOperator)).toBe('另一站务');
    expect(await ban({}, asEditor)).toBe('王维');
    await expect(ban({ until: stage.now() - 1 })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 'until',
    });
    await expect(ban({ username: '无此人' })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });
});
