import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openMailbox, type Mailbox } from '../engines/mailbox.ts';
import { done, openServer, PASSWORD, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let operator: Person;
let mailbox: Mailbox;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moye-backups-'));
  mailbox = await openMailbox();
  server = await openServer();
  operator = await server.join('老王');
  await server.app.services.roles.set('老王', 'operator', null);
});
afterAll(async () => {
  await server?.close();
  await mailbox?.close();
  rmSync(folder, { recursive: true });
});

const asOperator = (path: string, fields: Fields = {}) =>
  server.post(`/api/staff/${path}`, fields, operator.token);
async function change(group: string, texts: Fields, password = PASSWORD) {
  const { version } = done(await asOperator('settings', { group }));
  return asOperator('settings/change', { group, version, texts: JSON.stringify(texts), password });
}

test('mail that the console sets up sends a test mail, and the answer shows the server’s words', async () => {
  const texts = {
    SMTP_HOST: '127.0.0.1',
    SMTP_ENCRYPTION: 'any',
    SMTP_PORT: new URL(mailbox.url).port,
    SMTP_FROM: '墨页 <blog@example.com>',
  };
  expect((await asOperator('mail/test', { to: 'me@example.com' })).error).toBe('MAIL_OFF');
  const refused = await change('mail', texts, '不是它');
  expect([refused.error, refused.field]).toEqual(['PASSWORD_WRONG', 'password']);
  const wrong = await change('mail', { ...texts, SMTP_FROM: 'nobody' });
  expect([wrong.error, wrong.field]).toEqual(['FIELD_INVALID', 'SMTP_FROM']);
  expect(done(await change('mail', texts)).texts).toMatchObject(texts);
  expect(done(await asOperator('mail/test', { to: 'me@example.com' }))).toMatch(
    /^邮件服务器已经收下（250 .*），请到邮箱里看看$/,
  );
  expect(done(await asOperator('notices'))).toMatchObject({ has_mail: true });
});

test('tags of search engines are in the cached home page as soon as they are saved, and nowhere else', async () => {
  const tag = '<meta name="baidu-site-verification" content="codeva-Ab1">';
  const home = async () => (await server.send('/home')).text;
  expect(await home()).not.toContain('baidu-site-verification');
  expect(await home()).not.toContain('baidu-site-verification');
  const key = '4f1c9a7be2d84c0f';
  done(await change('search', { VERIFY_BAIDU: tag, INDEXNOW_KEY: key }));
  expect(await home()).toContain(tag);
  expect((await server.send('/tag/list')).text).not.toContain('baidu-site-verification');
  expect((await server.send(`/${key}.txt`)).text).toBe(key);
  expect(done(await server.send('/api/site'))).toMatchObject({
    verification: { 'baidu-site-verification': 'codeva-Ab1' },
    indexnow_key: key,
  });
  done(await change('search', { VERIFY_BAIDU: '', INDEXNOW_KEY: '' }));
  expect(await home()).not.toContain('baidu-site-verification');
  expect((await server.send(`/${key}.txt`)).status).toBe(404);
});

test('a backup is downloaded by a link that works once', async () => {
  done(await change('backup', { BACKUP_EVERY: '1d', BACKUP_TO: folder }));
  done(await asOperator('backups/start'));
  const items = await eventually(async () => {
    const state = done(await asOperator('backups'));
    expect([state.is_running, state.items.length]).toEqual([false, 1]);
    return state.items;
  });
  const { name, bytes } = items[0];
  expect(existsSync(join(folder, name))).toBe(true);
  const { url } = done(await asOperator('backups/download', { name, password: PASSWORD }));
  const { status, headers } = await server.send(url, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/zstd']);
  const file = await server.send(url);
  expect([file.status, Number(file.headers.get('content-length'))]).toEqual([200, bytes]);
  expect(file.headers.get('content-disposition')).toContain(name);
  expect(file.headers.get('cache-control')).toBe('private, no-store');
  expect((await server.send(url)).error).toBe('FILE_NOT_FOUND');
});
