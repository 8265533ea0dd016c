import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMailbox, type Mailbox } from '../engines/mailbox.ts';
import { openOtherSite, type OtherSite } from './other-site.ts';
import { done, openServer, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let site: OtherSite;
let mailbox: Mailbox;
let operator: Person;
let author: Person;
let status = 200;
beforeAll(async () => {
  mailbox = await openMailbox();
  site = await openOtherSite((_, response) => void response.writeHead(status).end('nothing'));
  server = await openServer({ SMTP_URL: mailbox.url, SMTP_FROM: 'blog@example.com' }, site.outside);
  [operator, author] = [await server.join('老王'), await server.join('作者')];
  await server.app.services.roles.set('老王', 'operator', null);
});
afterAll(async () => {
  await server?.close();
  site?.close();
  await mailbox?.close();
});

const HOOK = { name: '值班', format: 'json', kinds: ['report'], secret: '一串密钥' };
const asOperator = (path: string, fields: Fields) =>
  server.post(`/api/staff/${path}`, fields, operator.token);

describe('webhooks', () => {
  test('an operator adds, tests, changes and removes one; each step is audited without its secret', async () => {
    const url = site.urlOf('hooks.example.com', '/in?key=geheim');
    const hook = done(await asOperator('webhook/save', { ...HOOK, url }));
    expect(hook).toMatchObject({ name: '值班', kinds: ['report'], has_secret: true, is_on: true });
    expect(done(await asOperator('webhook/test', { id: hook.id }))).toBe('对方已经收下');
    expect(site.asked[0]?.url).toBe('/in?key=geheim');
    status = 500;
    const failed = await asOperator('webhook/test', { id: hook.id });
    expect([failed.status, failed.error, failed.data]).toEqual([
      200,
      'WEBHOOK_FAILED',
      '对方回答 500 nothing',
    ]);
    const renamed = { id: hook.id, name: '夜班', format: 'json', is_on: 'false' };
    expect(done(await asOperator('webhook/save', renamed))).toMatchObject({
      name: '夜班',
      is_on: false,
      kinds: [],
    });
    const { webhooks } = done(await asOperator('notices', {}));
    expect(webhooks).toHaveLength(1);
    expect(JSON.stringify(webhooks)).not.toMatch(/geheim|密钥/);
    done(await asOperator('webhook/delete', { id: hook.id }));
    expect((await asOperator('webhook/test', { id: hook.id })).error).toBe('WEBHOOK_NOT_FOUND');
    const log = await server.rows(
      "select action, before, after from audit_log where subject_kind = 'webhook'",
    );
    expect(log.map(({ action }) => String(action)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'webhook.add',
      'webhook.change',
      'webhook.delete',
    ]);
    expect(JSON.stringify(log)).not.toMatch(/geheim|密钥/);
  });

  test.each([
    ['name', { name: '' }],
    ['name', { name: '长'.repeat(31) }],
    ['format', { format: 'smoke' }],
    ['kinds', { kinds: ['everything'] }],
    ['url', { url: 'ftp://example.com/' }],
    ['url', { url: 'https://user:secret@example.com/' }],
    ['url', {}],
    ['secret', { secret: '', url: 'https://example.org/' }],
    ['id', { id: '1' }],
  ])('a wrong %s is refused in a sentence, and nothing is stored', async (field, fields) => {
    const answer = await asOperator('webhook/save', { ...HOOK, ...fields });
    expect([answer.status, answer.error, answer.field]).toEqual([200, 'FIELD_INVALID', field]);
    expect(answer.data).toMatch(/\p{Script=Han}/u);
    expect(await server.rows('select * from webhooks')).toEqual([]);
  });

  test.each(['http://127.0.0.1:8080/hook', 'http://192.168.1.2/hook', 'http://nas.local/hook'])(
    '%s, which can never be reached, is refused when it is saved',
    async (url) => {
      const answer = await asOperator('webhook/save', { ...HOOK, url });
      expect([answer.status, answer.error, answer.field]).toEqual([200, 'URL_REFUSED', 'url']);
      expect(answer.data).toContain('WEBHOOK_PRIVATE_HOSTS');
      expect(await server.rows('select * from webhooks')).toEqual([]);
    },
  );

  test('failed deliveries can be retried or discarded by id', async () => {
    expect((await asOperator('delivery/retry', { ids: ['nothing'] })).error).toBe('FIELD_INVALID');
    expect((await asOperator('delivery/discard', {})).error).toBe('FIELD_INVALID');
    const ids = ['0123456789abcdef01234567'];
    expect(done(await asOperator('delivery/retry', { ids }))).toBe('0 条通知会再发一次');
    expect(done(await asOperator('delivery/discard', { ids }))).toBe('丢弃了 0 条通知');
  });
});

describe('e-mail notifications of a user', () => {
  const settings = (fields?: Fields, token = author.token) =>
    server.post(`/api/notice/settings${fields ? '/change' : ''}`, fields ?? {}, token);

  test('are immediate and complete by default', async () => {
    expect(done(await settings())).toMatchObject({ mode: 'now', has_mail: true, address: '' });
    const wish = { mode: 'daily', kinds: ['reply', 'mention'] };
    expect(done(await settings(wish))).toMatchObject(wish);
    expect(done(await settings())).toMatchObject(wish);
    expect(done(await settings(undefined, operator.token)).mode).toBe('now');
    for (const wrong of [{ mode: 'hourly' }, { mode: 'now', kinds: ['weather'] }])
      expect((await settings(wrong)).error).toBe('FIELD_INVALID');
    expect(done(await settings())).toMatchObject(wish);
  });

  test('links in mails need a valid signature', async () => {
    const path = '/api/notice/unsubscribe';
    const post = (query: string) =>
      fetch(`${server.url}${path}${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
        redirect: 'manual',
      });
    const forged = createHash('sha256').update('x').digest('base64url');
    for (const query of ['', '?token=', `?token=0123456789abcdef01234567.${forged}`, '?token=a&token=b'])
      expect((await post(query)).status).toBe(404);
    const led = await post('?token=a&page=1');
    expect([led.status, led.headers.get('Location')]).toEqual([303, '/unsubscribe?failed=1']);
    const opened = await fetch(`${server.url}${path}?token=a.b`, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('Location')]).toEqual([302, '/unsubscribe?token=a.b']);
  });
});
