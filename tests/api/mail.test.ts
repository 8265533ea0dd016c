import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openMailbox, type Mailbox } from '../engines/mailbox.ts';
import { done, openServer, outcome, PASSWORD, type Person, type TestServer } from './server.ts';

const ADDRESS = 'linjian@mail.example';
const NEW_PASSWORD = '明月松间照，清泉石上流';

let mailbox: Mailbox;
let server: TestServer;
let author: Person;
let reader: Person;
beforeAll(async () => {
  mailbox = await openMailbox();
  server = await openServer({ SMTP_URL: mailbox.url, SMTP_FROM: '墨页 <blog@mail.example>' });
  server.app.services.notices.start();
  [author, reader] = [await server.join('林间'), await server.join('听雨')];
});
afterAll(async () => {
  await server?.close();
  await mailbox?.close();
});

/** Returns the secret of the link in the newest mail to the address, once `count` mails have arrived. */
async function linkIn(count: number, path: string): Promise<string> {
  await vi.waitFor(() => expect(mailbox.received.length).toBe(count), { timeout: 20_000 });
  const mail = mailbox.received.at(-1);
  expect(mail?.to).toEqual([ADDRESS]);
  const secret = new RegExp(`${path}#([\\w.-]+)`).exec(mail?.text ?? '')?.[1];
  if (secret === undefined) throw new Error(`no link to ${path} in ${mail?.text}`);
  return secret;
}

test('an e-mail address is confirmed by link, gets comment mails, and recovers the account', async () => {
  const fields = { email: ADDRESS, password: PASSWORD };
  done(await server.post('/api/user/email', fields, author.token));
  const secret = await linkIn(1, '/verify');
  expect(done(await server.post('/api/user/email/verify', { token: secret })).email).toBe(ADDRESS);
  expect((await server.post('/api/user/email/verify', { token: secret })).error).toBe('LINK_OVER');

  const article = await server.write(author);
  await server.comment(reader, article, { content: '好诗，读了三遍' });
  await vi.waitFor(() => expect(mailbox.received.length).toBe(2), { timeout: 20_000 });
  expect(mailbox.received.at(-1)?.subject).toBe('[墨页] 听雨 评论了你的文章《山居》');
  expect(mailbox.received.at(-1)?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');

  // A held comment is mailed when it is approved, and only the first time.
  await server.app.services.options.change({ holdComments: 'all' }, null);
  const { _id } = await server.comment(reader, article, { content: '这一句要等一等' });
  const decide = (action: 'restore' | 'hold') =>
    server.app.services.takedowns.decide('comment', { ids: [_id], action, note: '' }, null);
  await decide('restore');
  await vi.waitFor(() => expect(mailbox.received.length).toBe(3), { timeout: 20_000 });
  expect(mailbox.received.at(-1)?.text).toContain('这一句要等一等');
  await decide('hold');
  await decide('restore');

  done(await server.post('/api/signin/forgot', { account: ADDRESS }));
  const reset = await linkIn(4, '/reset');
  const passwords = { new_password: NEW_PASSWORD, repassword: NEW_PASSWORD };
  done(await server.post('/api/signin/reset', { token: reset, ...passwords }));
  expect((await server.post('/api/signin/reset', { token: reset, ...passwords })).error).toBe('LINK_OVER');
  expect((await server.post('/api/user/email', fields, author.token)).status).toBe(402);
  const signIn = (password: string) => server.post('/api/signin', { username: '林间', password });
  expect((await signIn(PASSWORD)).error).toBe('SIGNIN_FAILED');
  done(await signIn(NEW_PASSWORD));
  await vi.waitFor(() => expect(mailbox.received.length).toBe(5), { timeout: 20_000 });
  expect(mailbox.received.at(-1)?.subject).toBe('你在「墨页」的密码已修改');
});

test('responses do not reveal whether an account or e-mail address exists', async () => {
  const count = mailbox.received.length;
  const known = await server.post('/api/signin/forgot', { account: '听雨' });
  for (const name of ['没有这个人', 'nobody@mail.example'])
    expect(outcome(await server.post('/api/signin/forgot', { account: name }))).toEqual(outcome(known));
  await server.app.services.recovery.settled();
  expect(mailbox.received.length).toBe(count);
});
