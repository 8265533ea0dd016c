import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settingCalls } from '../../src/lib/contract/calls/setting-calls.ts';
import { auditText } from '../../src/lib/contract/rules/audit.ts';
import type { App } from '../../src/lib/server/app.ts';
import { eventually } from '../eventually.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import { FROM, openStaffStage, PASSWORD, type Person, type StaffStage } from './staff-stage.ts';

const SENDER = '墨页 <blog@example.com>';
const proof = { password: PASSWORD };

let stage: StaffStage;
let operator: Person;
let mailbox: Mailbox;
async function openStage(settings: Record<string, string> = {}) {
  stage = await openStaffStage(settings);
  operator = await stage.signUp('舵手');
  await stage.app.services.roles.set('舵手', 'operator', null);
}
beforeEach(async () => {
  mailbox = await openMailbox();
  await openStage();
});
afterEach(async () => {
  await stage?.close();
  await mailbox.close();
});

const by = () => ({ viewer: operator.viewer, from: FROM });
const consoleOf = ({ services }: App) => services.settingsConsole;
const mailTo = ({ url }: Mailbox) => ({
  server: '127.0.0.1',
  port: Number(new URL(url).port),
  encryption: 'any' as const,
  sender: SENDER,
});
const audited = async () =>
  (await stage.rows(`select action, before, after from audit_log order by create_time, id`)).filter(
    ({ action }) => String(action).endsWith('.change'),
  );

describe('mail settings of the console', () => {
  test('are used at once, on every node, and mails that wait go out by them', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    expect(await consoleOf(stage.app).mail()).toMatchObject({ server: '', is_on: false, fixed: {} });
    expect(other.services.notices.hasMail).toBe(false);
    const { port } = mailTo(mailbox);
    // Nothing listens there yet: the first attempt fails.
    const closed = await openMailbox();
    await closed.close();
    await consoleOf(stage.app).changeMail({ ...mailTo(closed), ...proof }, by());
    await eventually(async () => expect((await consoleOf(other).mail()).is_on).toBe(true));
    await eventually(() => expect(other.services.notices.hasMail).toBe(true));
    const { notices } = other.services;
    await other.db.write((trx) =>
      notices.queueMail(trx, { to: 'reader@example.com', subject: '一', text: '二' }),
    );
    const never = new AbortController().signal;
    await notices.outbox.sendDue('mail', never);
    expect(mailbox.received).toEqual([]);
    expect(await consoleOf(stage.app).changeMail({ port, ...proof }, by())).toMatchObject({
      port,
      is_on: true,
    });
    expect((await consoleOf(other).mail()).port).toBe(port);
    stage.pass(60 * 60_000);
    await notices.outbox.sendDue('mail', never);
    expect(mailbox.received.map(({ subject }) => subject)).toEqual(['一']);
    expect(mailbox.received[0]?.header('From')).toContain('blog@example.com');
    await other.close();
  });

  test('never contain the password again: not in answers, the audit log or the database', async () => {
    const secret = '授权码-8f3a';
    const told = await consoleOf(stage.app).changeMail(
      {
        server: 'smtp.example.com',
        port: 465,
        encryption: 'tls',
        account: 'blog@example.com',
        secret,
        sender: SENDER,
        ...proof,
      },
      by(),
    );
    expect(told).toEqual({
      server: 'smtp.example.com',
      port: 465,
      encryption: 'tls',
      account: 'blog@example.com',
      sender: SENDER,
      has_secret: true,
      is_on: true,
      is_broken: false,
      fixed: {},
    });
    const stored = JSON.stringify([
      await stage.rows('select * from operator_settings'),
      await stage.rows('select * from audit_log'),
    ]);
    expect(stored).not.toContain('8f3a');
    expect(stored).not.toContain(encodeURIComponent(secret));
    const [entry] = await audited();
    expect(auditText('site', String(entry?.['after']), String)).toBe(
      '邮件服务器：smtp.example.com，登录名：blog@example.com，发件人：墨页 <blog@example.com>，密钥：已更换',
    );
    expect((await stage.app.services.operatorSettings.held()).mail.value?.url).toBe(
      `smtps://blog%40example.com:${encodeURIComponent(secret)}@smtp.example.com:465`,
    );
    // The same again writes nothing.
    await consoleOf(stage.app).changeMail({ sender: SENDER, ...proof }, by());
    expect(await audited()).toHaveLength(1);
  });

  test('keep a password for its server and account only', async () => {
    const full = { server: 'smtp.example.com', account: 'blog', secret: 'one', sender: SENDER, ...proof };
    await consoleOf(stage.app).changeMail(full, by());
    await consoleOf(stage.app).changeMail({ port: 587, encryption: 'starttls', ...proof }, by());
    const url = async () => (await stage.app.services.operatorSettings.held()).mail.value?.url;
    expect(await url()).toBe('smtp://blog:one@smtp.example.com:587?requireTLS=true');
    for (const moved of [{ server: 'smtp.other.example' }, { account: 'other' }])
      await expect(consoleOf(stage.app).changeMail({ ...moved, ...proof }, by())).rejects.toMatchObject({
        code: 'FIELD_INVALID',
        field: 'secret',
      });
    expect(await url()).toContain('blog:one@smtp.example.com');
    expect(await consoleOf(stage.app).changeMail({ server: '', ...proof }, by())).toMatchObject({
      server: '',
      sender: '',
      has_secret: false,
      is_on: false,
    });
  });

  test('change nothing without the password, or if they are incomplete', async () => {
    const fields = mailTo(mailbox);
    await expect(
      consoleOf(stage.app).changeMail({ ...fields, password: '不是它' }, by()),
    ).rejects.toMatchObject({ code: 'PASSWORD_WRONG' });
    await expect(
      consoleOf(stage.app).changeMail({ ...fields, sender: '', ...proof }, by()),
    ).rejects.toMatchObject({ code: 'FIELD_INVALID', field: 'sender' });
    await expect(
      consoleOf(stage.app).changeMail({ ...fields, account: 'blog', ...proof }, by()),
    ).rejects.toMatchObject({ code: 'FIELD_INVALID', field: 'secret' });
    expect(await stage.rows('select * from operator_settings')).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  test('of the environment win and are fixed', async () => {
    await consoleOf(stage.app).changeMail({ ...mailTo(mailbox), ...proof }, by());
    await stage.close();
    await openStage({ SMTP_URL: 'smtps://env:pw@env.example', SMTP_FROM: 'env@example.com' });
    expect(await consoleOf(stage.app).mail()).toMatchObject({
      server: 'env.example',
      port: 465,
      encryption: 'tls',
      account: 'env',
      has_secret: true,
      is_on: true,
      fixed: { server: 'SMTP_URL', secret: 'SMTP_URL', sender: 'SMTP_FROM' },
    });
    await expect(consoleOf(stage.app).changeMail({ port: 25, ...proof }, by())).rejects.toMatchObject({
      code: 'FIELD_FIXED',
      field: 'port',
    });
  });

  test('sealed with another secret are off, and are set again', async () => {
    await consoleOf(stage.app).changeMail({ ...mailTo(mailbox), ...proof }, by());
    await stage.app.db.write((trx) =>
      trx
        .updateTable('operator_settings')
        .set({ value: '{"SMTP_URL":"c2VhbGVk","SMTP_FROM":"a@b.c"}' })
        .execute(),
    );
    const other = await stage.open();
    expect(await consoleOf(other).mail()).toMatchObject({ is_on: false, is_broken: true, server: '' });
    expect(other.services.notices.hasMail).toBe(false);
    const told = await consoleOf(other).changeMail({ ...mailTo(mailbox), ...proof }, by());
    expect(told).toMatchObject({ is_on: true, is_broken: false });
    await other.close();
  });
});

describe('settings of search engines', () => {
  test('apply at once on every node: meta tags, the published key and pushes', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    const told = await consoleOf(stage.app).changeSearch(
      {
        baidu_token: 'Q1w2',
        indexnow_key: '4f1c9a7be2d84c0f',
        verify_baidu: 'codeva-Ab1',
        verify_360: 'c0ffee',
        ...proof,
      },
      by(),
    );
    expect(told).toMatchObject({
      has_baidu_token: true,
      indexnow_key: '4f1c9a7be2d84c0f',
      verify_baidu: 'codeva-Ab1',
      verify_bing: '',
      fixed: {},
    });
    expect(told).not.toHaveProperty('baidu_token');
    const facts = {
      verification: { 'baidu-site-verification': 'codeva-Ab1', '360-site-verification': 'c0ffee' },
      indexnow_key: '4f1c9a7be2d84c0f',
    };
    expect(await stage.app.services.site.read()).toMatchObject(facts);
    await eventually(async () => expect(await other.services.site.read()).toMatchObject(facts));
    await eventually(() => expect(other.backend.site).toMatchObject(facts));
    await stage.write(operator);
    const pushes = await stage.app.services.pushes.list();
    expect(pushes.map(({ engine }) => engine)).toEqual(['baidu', 'indexnow']);
    const [entry] = await audited();
    expect(auditText('site', String(entry?.['after']), String)).toBe(
      '必应的推送密钥：4f1c9a7be2d84c0f，百度的验证：codeva-Ab1，三六零的验证：c0ffee，百度的推送密钥：已更换',
    );
    expect(JSON.stringify(await stage.rows('select * from operator_settings'))).not.toContain('Q1w2');
    const less = { baidu_token: '', indexnow_key: '', verify_360: '', ...proof };
    expect(await consoleOf(stage.app).changeSearch(less, by())).toMatchObject({ has_baidu_token: false });
    expect((await other.services.operatorSettings.current('search').read()).baidu).toBeNull();
    await other.close();
  });

  test('accept a pasted tag, and refuse what is neither tag nor code', () => {
    const parse = (fields: object) =>
      settingCalls.searchSettingsChange.input.safeParse({ password: 'x', ...fields });
    const tag = '<meta name="baidu-site-verification" content="codeva-Ab1" />';
    expect(parse({ verify_baidu: tag }).data?.verify_baidu).toBe('codeva-Ab1');
    for (const bad of ['"><script>', 'a b', '<meta content="<x>">', 'x'.repeat(201), '验证'])
      expect(parse({ verify_baidu: bad }).success, bad).toBe(false);
    for (const bad of ['短', 'a/b/c/d/e', 'x'.repeat(129)])
      expect(parse({ indexnow_key: bad }).success).toBe(false);
  });
});

describe('backups', () => {
  const folderOf = () => join(stage.app.config.dataDir, '..', 'backups');
  const turnOn = (changes: object = {}) =>
    consoleOf(stage.app).changeBackup({ every: '1d', to: folderOf(), ...changes, ...proof }, by());
  const state = () => stage.app.services.backupConsole.state();

  test('are set, made, listed, checked and downloaded without a restart', async () => {
    const { backups, backupConsole } = stage.app.services;
    await expect(backups.begin()).rejects.toMatchObject({ code: 'BACKUP_OFF' });
    expect(await state()).toMatchObject({ items: [], problem: '', next_time: null });
    await stage.write(operator);
    const told = await turnOn({ keep: 3, passphrase: '行到水穷处，坐看云起时。偶然值林叟' });
    expect(told).toMatchObject({ every: '1d', keep: 3, to: folderOf(), has_passphrase: true, fixed: {} });
    expect(JSON.stringify(await stage.rows('select * from operator_settings'))).not.toContain('水穷处');
    await backups.begin();
    expect((await state()).is_running).toBe(true);
    await eventually(async () => expect(await state()).toMatchObject({ is_running: false, problem: '' }));
    const { items, next_time } = await state();
    expect(items).toMatchObject([{ name: expect.stringMatching(/^moye-.*\.tar\.zst$/) }]);
    expect(Date.parse(next_time ?? '')).toBeGreaterThan(stage.now());
    const [archive] = items;
    if (!archive) throw new Error('there is no archive');
    await backups.beginCheck(archive.name);
    expect((await state()).checking).toBe(archive.name);
    await eventually(async () =>
      expect((await state()).check).toMatchObject({
        name: archive.name,
        is_sound: true,
        text: expect.stringMatching(/^能恢复：\d+ 篇文章/),
      }),
    );
    expect(existsSync(join(stage.app.config.dataDir, 'backup-check'))).toBe(false);
    await expect(backupConsole.issue({ name: archive.name, password: '不是它' }, by())).rejects.toMatchObject(
      { code: 'PASSWORD_WRONG' },
    );
    await expect(backupConsole.issue({ name: '../x.tar.zst', ...proof }, by())).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    });
    const secret = await backupConsole.issue({ name: archive.name, ...proof }, by());
    const { stream, bytes } = await backupConsole.open(secret);
    const downloaded = await buffer(stream);
    expect(downloaded).toHaveLength(bytes);
    expect(downloaded.equals(readFileSync(join(folderOf(), archive.name)))).toBe(true);
    await expect(backupConsole.open(secret)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  test('say why an archive cannot be restored, and why the destination cannot be read', async () => {
    const { backups } = stage.app.services;
    await turnOn();
    writeFileSync(join(folderOf(), 'moye-cut.tar.zst'), Buffer.from('28b52ffd', 'hex'));
    await backups.beginCheck('moye-cut.tar.zst');
    await eventually(async () =>
      expect((await state()).check).toMatchObject({ is_sound: false, text: expect.stringContaining('备份') }),
    );
    rmSync(folderOf(), { recursive: true });
    expect((await state()).problem).toContain('文件或文件夹不存在');
  });

  test('refuse a destination that cannot be written to, and change nothing', async () => {
    mkdirSync(stage.app.config.dataDir, { recursive: true });
    const file = join(stage.app.config.dataDir, 'a-file');
    writeFileSync(file, '');
    await expect(turnOn({ to: join(file, 'x') })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 'to',
      message: expect.stringContaining('写不进去'),
    });
    await expect(turnOn({ to: '' })).rejects.toMatchObject({ code: 'FIELD_INVALID', field: 'to' });
    await expect(turnOn({ to: 's3://bucket/x' })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 's3_key_id',
    });
    await expect(turnOn({ to: 'ftp://x/y' })).rejects.toMatchObject({ code: 'FIELD_INVALID' });
    expect(await stage.app.services.backups.schedule()).toBeNull();
  });

  test('follow the settings on every node, and end with them', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    await turnOn({ every: '6h' });
    await eventually(async () =>
      expect(await other.services.backups.schedule()).toMatchObject({ everyMs: 6 * 3_600_000 }),
    );
    await consoleOf(other).changeBackup({ every: '', ...proof }, by());
    await eventually(async () => expect(await stage.app.services.backups.schedule()).toBeNull());
    await other.close();
  });
});

describe('the test mail', () => {
  test('shows what the server answers', async () => {
    await consoleOf(stage.app).changeMail({ ...mailTo(mailbox), ...proof }, by());
    expect(await stage.app.services.notices.testMail('me@example.com')).toMatch(/^250 /);
    expect(mailbox.received).toHaveLength(1);
  });

  test('explains a server that takes the connection and drops it, or the mail and refuses it', async () => {
    const dropping = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => dropping.listen(0, '127.0.0.1', resolve));
    const { port } = dropping.address() as AddressInfo;
    const { testMail } = stage.app.services.notices;
    await expect(testMail('me@example.com')).rejects.toMatchObject({ code: 'MAIL_OFF' });
    await consoleOf(stage.app).changeMail({ ...mailTo(mailbox), port, ...proof }, by());
    await expect(testMail('me@example.com')).rejects.toMatchObject({
      code: 'MAIL_FAILED',
      message: expect.stringContaining('和邮件服务器的连接失败'),
    });
    dropping.close();
    const full = await openMailbox({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('mailbox full'), { responseCode: 452 })),
    });
    await consoleOf(stage.app).changeMail({ ...mailTo(full), ...proof }, by());
    await expect(testMail('me@example.com')).rejects.toMatchObject({
      message: expect.stringMatching(/邮件服务器不接受收件人.*452.*mailbox full/),
    });
    await full.close();
  });
});
