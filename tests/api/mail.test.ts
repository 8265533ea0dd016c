import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
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
  server.app.services.notices.outbox.start();
  [author, reader] = [await server.join('林间'), await server.join('听雨')];
});
afterAll(async () => {
  await server?.close();
  await mailbox?.close();
});

/** Returns the secret of the link in the newest mail to the address, once `count` mails have arrived. */
async function linkIn(count: number, path: string): Promise<string> {
  await eventually(() => expect(mailbox.received.length).toBe(count));
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

  const profile = { display_name: '听雨 先生', website: '', profile_links: '' };
  done(await server.post('/api/user/profile', profile, reader.token));
  const article = await server.write(author);
  await server.comment(reader, article, { content: '好诗，读了三遍' });
  await eventually(() => expect(mailbox.received.length).toBe(2));
  expect(mailbox.received.at(-1)?.subject).toBe('[墨页] 听雨 先生（@听雨） 评论了你的文章《山居》');
  expect(mailbox.received.at(-1)?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');

  // A held comment is mailed when it is approved, and only the first time.
  await server.app.services.options.change({ holdComments: 'all' }, null);
  const { _id } = await server.comment(reader, article, { content: '这一句要等一等' });
  const decide = (action: 'restore' | 'hold') =>
    server.app.services.takedowns.decide('comment', { ids: [_id], action, note: '' }, null);
  await decide('restore');
  await eventually(() => expect(mailbox.received.length).toBe(3));
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
  await eventually(() => expect(mailbox.received.length).toBe(5));
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

describe('a refusal of the mail server', () => {
  let refusing: Mailbox;
  let site: TestServer;
  let operator: Person;
  /** What the server answers to a sender and to a receiver; null accepts. */
  let answers: { from: [number, string] | null; to: [number, string] | null } = { from: null, to: null };
  const answered = (answer: [number, string] | null) =>
    answer && Object.assign(new Error(answer[1]), { responseCode: answer[0] });

  beforeAll(async () => {
    refusing = await openMailbox({
      onMailFrom: (_address, _session, done) => done(answered(answers.from)),
      onRcptTo: (_address, _session, done) => done(answered(answers.to)),
    });
    site = await openServer({ SMTP_URL: refusing.url, SMTP_FROM: '墨页 <blog@mail.example>' });
    site.app.services.notices.outbox.start();
    operator = await site.join('老王');
    await site.app.services.roles.set('老王', 'operator', null);
  });
  afterAll(async () => {
    await site?.close();
    await refusing?.close();
  });

  const setEmail = (person: Person) =>
    site.post('/api/user/email', { email: ADDRESS, password: PASSWORD }, person.token);
  const testMail = (to = ADDRESS) => site.post('/api/staff/mail/test', { to }, operator.token);

  test.each<[string, [number, string], string]>([
    [
      '501 for the sender, as QQ answers',
      [501, 'Mail from address must be same as authorization user'],
      '站长',
    ],
    ['550 for the receiver', [550, 'Mailbox not found'], 'Mailbox not found'],
    ['552 for the receiver', [552, 'mailbox full'], 'mailbox full'],
  ])('is shown to whoever asked for the mail: %s', async (name, answer, shown) => {
    answers = name.includes('sender') ? { from: answer, to: null } : { from: null, to: answer };
    const person = await site.join(`读者${answer[0]}`);
    // More often than links may be open: a refused mail leaves none.
    for (let time = 0; time < 6; time++) {
      const { error, data } = await setEmail(person);
      expect([error, data]).toEqual(['MAIL_FAILED', expect.stringContaining('邮件没能发出去')]);
      expect(data).toContain(shown);
    }
    answers = { from: null, to: null };
    done(await setEmail(person));
  });

  test('does not show the settings of the site to readers', async () => {
    answers = { from: [501, 'blog@mail.example is not the account'], to: null };
    expect((await setEmail(await site.join('外人'))).data).not.toContain('blog@mail.example');
  });

  test('that may pass is no error: the mail is tried again', async () => {
    answers = { from: null, to: [451, 'Greylisted, try again'] };
    expect((await setEmail(await site.join('灰名单'))).code).toBe('OK');
  });

  test('is shown whole to the operator who sends a test mail', async () => {
    const before = refusing.received.length;
    answers = { from: [501, 'Mail from address must be same as authorization user'], to: null };
    const { error, data } = await testMail();
    expect([error, data]).toEqual(['MAIL_FAILED', expect.stringContaining('不接受发件人')]);
    expect(data).toContain('501 Mail from address must be same as authorization user');
    answers = { from: null, to: [451, 'Greylisted, try again'] };
    expect((await testMail()).data).toContain('Greylisted');
    answers = { from: null, to: null };
    done(await testMail());
    expect(refusing.received.slice(before)).toMatchObject([{ to: [ADDRESS], subject: '「墨页」的测试邮件' }]);
    expect((await testMail('not an address')).error).toBe('FIELD_INVALID');
  });
});

test('a site without mail says so when a test mail is wanted', async () => {
  const silent = await openServer();
  const { token } = await silent.join('老王');
  await silent.app.services.roles.set('老王', 'operator', null);
  expect((await silent.post('/api/staff/mail/test', { to: ADDRESS }, token)).error).toBe('MAIL_OFF');
  await silent.close();
});
