import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditText } from '../../src/lib/contract/rules/audit.ts';
import type { Variables } from '../../src/lib/contract/rules/operator-settings.ts';
import type { App } from '../../src/lib/server/app.ts';
import { eventually } from '../eventually.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import { openS3Storage } from './s3-storage.ts';
import { openSettingsStage, type SettingsStage } from './settings-forms.ts';
import { FROM, PASSWORD, type Person } from './staff-stage.ts';

const SENDER = '墨页 <blog@example.com>';

let stage: SettingsStage;
let operator: Person;
let mailbox: Mailbox;
let change: SettingsStage['change'];
let settings: SettingsStage['settings'];
async function openStage(environment: Record<string, string> = {}) {
  stage = await openSettingsStage(environment);
  ({ operator, change, settings } = stage);
}
beforeEach(async () => {
  mailbox = await openMailbox();
  await openStage();
});
afterEach(async () => {
  await stage?.close();
  await mailbox.close();
});

const by = () => stage.by;
const audited = () => stage.audited();
const mailTo = ({ url }: Mailbox) => ({
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: new URL(url).port,
  SMTP_ENCRYPTION: 'any',
  SMTP_FROM: SENDER,
});
describe('mail settings of the console', () => {
  test('are used at once, on every node, and mails that wait go out by them', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    expect(await settings('mail')).toMatchObject({ texts: { SMTP_HOST: '' }, fixed: {} });
    expect(other.services.notices.hasMail).toBe(false);
    const { SMTP_PORT } = mailTo(mailbox);
    // Nothing listens there yet: the first attempt fails.
    const closed = await openMailbox();
    await closed.close();
    await change('mail', mailTo(closed));
    await eventually(async () =>
      expect((await settings('mail', other)).texts).toMatchObject({ SMTP_HOST: '127.0.0.1' }),
    );
    await eventually(() => expect(other.services.notices.hasMail).toBe(true));
    const { notices } = other.services;
    await other.db.write((trx) =>
      notices.queueMail(trx, { to: 'reader@example.com', subject: '一', text: '二' }),
    );
    const never = new AbortController().signal;
    await notices.outbox.sendDue('mail', never);
    expect(mailbox.received).toEqual([]);
    expect((await change('mail', { SMTP_PORT })).texts).toMatchObject({ SMTP_PORT });
    expect((await settings('mail', other)).texts).toMatchObject({ SMTP_PORT });
    stage.pass(60 * 60_000);
    await notices.outbox.sendDue('mail', never);
    expect(mailbox.received.map(({ subject }) => subject)).toEqual(['一']);
    expect(mailbox.received[0]?.header('From')).toContain('blog@example.com');
    await other.close();
  });

  test('never contain the password again: not in answers, the audit log or the database', async () => {
    const secret = '授权码-8f3a';
    const texts = {
      SMTP_HOST: 'smtp.example.com',
      SMTP_PORT: '465',
      SMTP_ENCRYPTION: 'tls',
      SMTP_USER: 'blog@example.com',
      SMTP_FROM: SENDER,
    };
    const told = await change('mail', { ...texts, SMTP_PASSWORD: secret });
    expect(told).toEqual({
      texts,
      secrets: ['SMTP_PASSWORD'],
      fixed: {},
      version: expect.any(String),
      is_broken: false,
    });
    const stored = JSON.stringify([
      await stage.rows('select * from operator_settings'),
      await stage.rows('select * from audit_log'),
    ]);
    expect(stored).not.toContain('8f3a');
    expect(stored).not.toContain(encodeURIComponent(secret));
    const [entry] = await audited();
    expect(auditText('site', String(entry?.['after']), String)).toBe(
      '邮件服务器：smtp.example.com，加密：TLS，一般是 465 端口，端口：465，登录名：blog@example.com，登录密码或授权码：已更换，发件人：墨页 <blog@example.com>',
    );
    expect((await stage.app.services.operatorSettings.held()).mail.value?.url).toBe(
      `smtps://blog%40example.com:${encodeURIComponent(secret)}@smtp.example.com:465`,
    );
    // The same again writes nothing.
    await change('mail', { SMTP_FROM: SENDER });
    expect(await audited()).toHaveLength(1);
  });

  test('keep a password for its server and account only', async () => {
    await change('mail', {
      SMTP_HOST: 'smtp.example.com',
      SMTP_USER: 'blog',
      SMTP_PASSWORD: 'one',
      SMTP_FROM: SENDER,
    });
    await change('mail', { SMTP_PORT: '587', SMTP_ENCRYPTION: 'starttls' });
    const url = async () => (await stage.app.services.operatorSettings.held()).mail.value?.url;
    expect(await url()).toBe('smtp://blog:one@smtp.example.com:587?requireTLS=true');
    for (const moved of [{ SMTP_HOST: 'smtp.other.example' }, { SMTP_USER: 'other' }])
      await expect(change('mail', moved)).rejects.toMatchObject({
        code: 'FIELD_INVALID',
        field: 'SMTP_PASSWORD',
        message: '换了邮件服务器或登录名，请重新填写登录密码或授权码',
      });
    expect(await url()).toContain('blog:one@smtp.example.com');
    expect(await change('mail', { SMTP_HOST: '' })).toMatchObject({
      texts: { SMTP_HOST: '', SMTP_FROM: SENDER },
      secrets: [],
    });
    expect(await url()).toBeUndefined();
    expect(await change('mail', { SMTP_HOST: 'smtp.example.com', SMTP_USER: '' })).toMatchObject({
      texts: { SMTP_HOST: 'smtp.example.com' },
    });
  });

  test('change nothing without the password, or if they are incomplete', async () => {
    const texts = mailTo(mailbox);
    await expect(change('mail', texts, { password: '不是它' })).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    });
    for (const [bad, field] of [
      [{ SMTP_FROM: '' }, 'SMTP_FROM'],
      [{ SMTP_FROM: 'nobody' }, 'SMTP_FROM'],
      [{ SMTP_USER: 'blog' }, 'SMTP_PASSWORD'],
      [{ SMTP_PASSWORD: 'one' }, 'SMTP_USER'],
      [{ SMTP_PORT: '65536' }, 'SMTP_PORT'],
      [{ SMTP_HOST: 'a b' }, 'SMTP_HOST'],
      [{ SMTP_ENCRYPTION: 'none' }, 'SMTP_ENCRYPTION'],
    ] as [Variables, string][])
      await expect(change('mail', { ...texts, ...bad }), field).rejects.toMatchObject({
        code: 'FIELD_INVALID',
        field,
      });
    for (const unknown of ['DATA_DIR', 'SMTP_URL', '__proto__', 'BACKUP_TO'])
      await expect(change('mail', Object.fromEntries([[unknown, 'x']]))).rejects.toMatchObject({
        code: 'FIELD_INVALID',
      });
    expect(await stage.rows('select * from operator_settings')).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  test('of the environment win and are fixed', async () => {
    await change('mail', mailTo(mailbox));
    await stage.close();
    await openStage({ SMTP_URL: 'smtps://env:pw@env.example', SMTP_FROM: 'env@example.com' });
    expect(await settings('mail')).toMatchObject({
      texts: { SMTP_HOST: 'env.example', SMTP_PORT: '465', SMTP_ENCRYPTION: 'tls', SMTP_USER: 'env' },
      secrets: ['SMTP_PASSWORD'],
      fixed: { SMTP_HOST: 'SMTP_URL', SMTP_PASSWORD: 'SMTP_URL', SMTP_FROM: 'SMTP_FROM' },
    });
    await expect(change('mail', { SMTP_PORT: '25' })).rejects.toMatchObject({
      code: 'FIELD_FIXED',
      field: 'SMTP_PORT',
    });
    await stage.close();
    await openStage({ SMTP_HOST: 'env.example', SMTP_FROM: 'env@example.com' });
    expect((await settings('mail')).fixed).toEqual({ SMTP_HOST: 'SMTP_HOST', SMTP_FROM: 'SMTP_FROM' });
    await change('mail', { SMTP_PORT: '26', SMTP_ENCRYPTION: 'any' });
    expect((await stage.app.services.operatorSettings.held()).mail.value?.url).toBe('smtp://env.example:26');
  });

  test('sealed with another secret are off, and are set again', async () => {
    await change('mail', mailTo(mailbox));
    await stage.app.db.write((trx) =>
      trx
        .updateTable('operator_settings')
        .set({ value: '{"SMTP_URL":"c2VhbGVk","SMTP_FROM":"a@b.c"}' })
        .execute(),
    );
    const other = await stage.open();
    expect(await settings('mail', other)).toMatchObject({ is_broken: true, texts: { SMTP_HOST: '' } });
    expect(other.services.notices.hasMail).toBe(false);
    const told = await change('mail', mailTo(mailbox), { app: other });
    expect(told).toMatchObject({ is_broken: false });
    expect(other.services.notices.hasMail).toBe(true);
    await other.close();
  });
});

describe('settings of search engines', () => {
  test('apply at once on every node: meta tags, the published key and pushes', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    const told = await change('search', {
      BAIDU_PUSH_TOKEN: 'Q1w2',
      INDEXNOW_KEY: '4f1c9a7be2d84c0f',
      VERIFY_BAIDU: 'codeva-Ab1',
      VERIFY_360: 'c0ffee',
    });
    expect(told).toMatchObject({
      texts: { INDEXNOW_KEY: '4f1c9a7be2d84c0f', VERIFY_BAIDU: 'codeva-Ab1', VERIFY_BING: '' },
      secrets: ['BAIDU_PUSH_TOKEN'],
      fixed: {},
    });
    expect(told.texts).not.toHaveProperty('BAIDU_PUSH_TOKEN');
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
      '百度的推送密钥：已更换，IndexNow 的密钥：4f1c9a7be2d84c0f，百度的验证：codeva-Ab1，三六零的验证：c0ffee',
    );
    expect(JSON.stringify(await stage.rows('select * from operator_settings'))).not.toContain('Q1w2');
    const less = { BAIDU_PUSH_TOKEN: '', INDEXNOW_KEY: '', VERIFY_360: '' };
    expect((await change('search', less)).secrets).toEqual([]);
    expect((await other.services.operatorSettings.current('search').read()).baidu).toBeNull();
    await other.close();
  });

  test('accept a pasted tag, and refuse what is neither tag nor code', async () => {
    const tag = '<meta name="baidu-site-verification" content="codeva-Ab1" />';
    expect((await change('search', { VERIFY_BAIDU: tag })).texts).toMatchObject({
      VERIFY_BAIDU: 'codeva-Ab1',
    });
    for (const bad of ['"><script>', 'a b', '<meta content="<x>">', 'x'.repeat(201), '验证'])
      await expect(change('search', { VERIFY_BAIDU: bad }), bad).rejects.toMatchObject({
        field: 'VERIFY_BAIDU',
      });
    for (const bad of ['短', 'a/b/c/d/e', 'x'.repeat(129)])
      await expect(change('search', { INDEXNOW_KEY: bad }), bad).rejects.toMatchObject({
        field: 'INDEXNOW_KEY',
      });
  });
});

describe('two operators', () => {
  test('who save the same settings on two nodes: the second is told, and overwrites nothing', async () => {
    const other = await stage.open();
    const colleague = await stage.signUp('副手');
    await stage.app.services.roles.set('副手', 'operator', null);
    const [mine, theirs] = [await settings('search'), await settings('search', other)];
    expect(theirs.version).toBe(mine.version);
    const input = { group: 'search' as const, version: mine.version, password: PASSWORD };
    const texts = { VERIFY_BING: '0A1B' };
    await stage.app.services.settingsConsole.change({ ...input, texts }, by());
    const late = { viewer: colleague.viewer, from: FROM };
    for (const their of [{ VERIFY_BING: 'FFFF' }, { VERIFY_360: 'c0ffee' }])
      await expect(
        other.services.settingsConsole.change({ ...input, texts: their }, late),
      ).rejects.toMatchObject({ code: 'VERSION_CHANGED', message: expect.stringContaining('刚在别处改过') });
    expect((await settings('search', other)).texts).toMatchObject({ VERIFY_BING: '0A1B', VERIFY_360: '' });
    const now = await settings('search', other);
    const again = { ...input, version: now.version, texts: { VERIFY_360: 'c0ffee' } };
    await other.services.settingsConsole.change(again, late);
    expect((await settings('search')).texts).toMatchObject({ VERIFY_BING: '0A1B', VERIFY_360: 'c0ffee' });
    await other.close();
  });

  test('who save at the same moment: one of them is told', async () => {
    const other = await stage.open();
    const { version } = await settings('search');
    const save = (app: App, code: string) =>
      app.services.settingsConsole.change(
        { group: 'search', version, texts: { VERIFY_BING: code }, password: PASSWORD },
        by(),
      );
    const results = await Promise.allSettled([save(stage.app, 'AAAA'), save(other, 'BBBB')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'VERSION_CHANGED' },
    });
    await other.close();
  });
});

describe('backups', () => {
  const folderOf = () => join(stage.app.config.dataDir, '..', 'backups');
  const turnOn = (texts: Variables = {}) =>
    change('backup', { BACKUP_EVERY: '1d', BACKUP_TO: folderOf(), ...texts });
  const state = () => stage.app.services.backupConsole.state();

  test('are set, made, listed, checked and downloaded without a restart', async () => {
    const { backups, backupConsole } = stage.app.services;
    await expect(backups.begin()).rejects.toMatchObject({ code: 'BACKUP_OFF' });
    expect(await state()).toMatchObject({ items: [], problem: '', next_time: null });
    await stage.write(operator);
    const told = await turnOn({ BACKUP_KEEP: '3', BACKUP_PASSPHRASE: '行到水穷处，坐看云起时。偶然值林叟' });
    expect(told).toMatchObject({
      texts: { BACKUP_EVERY: '1d', BACKUP_KEEP: '3', BACKUP_TO: folderOf() },
      secrets: ['BACKUP_PASSPHRASE'],
      fixed: {},
    });
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
    await expect(
      backupConsole.issue({ name: '../x.tar.zst', password: PASSWORD }, by()),
    ).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    });
    const secret = await backupConsole.issue({ name: archive.name, password: PASSWORD }, by());
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

  test('say that the destination is full, keep what is there, and go on once it has room', async () => {
    const storage = await openS3Storage('backups/');
    const { endpoint, region, accessKeyId, secretAccessKey } = storage.place;
    const { backups } = stage.app.services;
    const access = {
      BACKUP_TO: 's3://moye-test/backups',
      BACKUP_S3_ENDPOINT: endpoint ?? '',
      BACKUP_S3_REGION: region,
      BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    await turnOn(access);
    const backUp = async (failure: unknown) => {
      stage.pass(1_000);
      await backups.begin();
      await eventually(async () => expect(await state()).toMatchObject({ is_running: false, failure }));
      return (await state()).items.length;
    };
    expect(await backUp('')).toBe(1);
    storage.be('stuffed');
    expect(await backUp(expect.stringContaining('存储已满：请腾出空间'))).toBe(1);
    expect(storage.unfinished()).toBe(0);
    await expect(turnOn({ ...access, BACKUP_KEEP: '3' })).rejects.toMatchObject({
      field: 'BACKUP_TO',
      message: expect.stringContaining('存储已满'),
    });
    storage.be('well');
    expect(await backUp('')).toBe(2);
    await storage.close();
  });

  test('refuse a destination that cannot be written to, and change nothing', async () => {
    mkdirSync(stage.app.config.dataDir, { recursive: true });
    const file = join(stage.app.config.dataDir, 'a-file');
    writeFileSync(file, '');
    await expect(turnOn({ BACKUP_TO: join(file, 'x') })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 'BACKUP_TO',
      message: expect.stringContaining('写不进去'),
    });
    await expect(turnOn({ BACKUP_TO: '' })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 'BACKUP_TO',
    });
    await expect(turnOn({ BACKUP_TO: 's3://bucket/x' })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 'BACKUP_S3_REGION',
    });
    await expect(turnOn({ BACKUP_TO: 'ftp://x/y' })).rejects.toMatchObject({ code: 'FIELD_INVALID' });
    expect(await stage.app.services.backups.schedule()).toBeNull();
  });

  test('follow the settings on every node, and end with them', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    await turnOn({ BACKUP_EVERY: '6h' });
    await eventually(async () =>
      expect(await other.services.backups.schedule()).toMatchObject({ everyMs: 6 * 3_600_000 }),
    );
    expect((await change('backup', { BACKUP_EVERY: '' }, { app: other })).texts).toMatchObject({
      BACKUP_TO: folderOf(),
    });
    await eventually(async () => expect(await stage.app.services.backups.schedule()).toBeNull());
    await other.close();
  });
});

describe('the test mail', () => {
  test('shows what the server answers', async () => {
    await change('mail', mailTo(mailbox));
    expect(await stage.app.services.notices.testMail('me@example.com')).toMatch(/^250 /);
    expect(mailbox.received).toHaveLength(1);
  });

  test('explains a server that takes the connection and drops it, or the mail and refuses it', async () => {
    const dropping = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => dropping.listen(0, '127.0.0.1', resolve));
    const { port } = dropping.address() as AddressInfo;
    const { testMail } = stage.app.services.notices;
    await expect(testMail('me@example.com')).rejects.toMatchObject({ code: 'MAIL_OFF' });
    await change('mail', { ...mailTo(mailbox), SMTP_PORT: String(port) });
    await expect(testMail('me@example.com')).rejects.toMatchObject({
      code: 'MAIL_FAILED',
      message: expect.stringContaining('和邮件服务器的连接失败'),
    });
    dropping.close();
    const full = await openMailbox({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('mailbox full'), { responseCode: 452 })),
    });
    await change('mail', mailTo(full));
    await expect(testMail('me@example.com')).rejects.toMatchObject({
      message: expect.stringMatching(/邮件服务器不接受收件人.*452.*mailbox full/),
    });
    await full.close();
  });

  test('of a server that accepts a mail and then refuses it is reported, and queued mails wait', async () => {
    const refusing = await openMailbox({ refusal: 'looks like spam' });
    await change('mail', mailTo(refusing));
    const { notices } = stage.app.services;
    await expect(notices.testMail('me@example.com')).rejects.toMatchObject({
      code: 'MAIL_FAILED',
      message: expect.stringContaining('looks like spam'),
    });
    await stage.app.db.write((trx) =>
      notices.queueMail(trx, { to: 'reader@example.com', subject: '一', text: '二' }),
    );
    const never = new AbortController().signal;
    await notices.outbox.sendDue('mail', never);
    await change('mail', mailTo(mailbox));
    stage.pass(60 * 60_000);
    await notices.outbox.sendDue('mail', never);
    expect(mailbox.received.map(({ subject }) => subject)).toEqual(['一']);
    await refusing.close();
  });
});
