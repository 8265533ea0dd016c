import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailbox, type Mailbox } from '../engines/mailbox.ts';
import { eventually } from '../eventually.ts';
import { done, openServer, PASSWORD, type Person, type TestServer } from './server.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';

let mailbox: Mailbox;
let server: TestServer;
beforeAll(async () => {
  mailbox = await openMailbox();
  server = await openServer({ SMTP_URL: mailbox.url, SMTP_FROM: '墨页 <blog@mail.example>' });
  server.app.services.notices.outbox.start();
});
afterAll(async () => {
  await server?.close();
  await mailbox?.close();
});

const close = (person: Person, contents: string, password = PASSWORD) =>
  server.post('/api/user/close', { password, contents }, person.token);
const closingTime = async ({ token }: Person) =>
  done(await server.post('/api/user/safety', {}, token)).closing_time as string | null;
const isOpen = async (name: string) =>
  (await server.post('/api/user/detail', { username: name })).error === undefined;
const decide = (token: string, action: string) => server.post('/api/user/close/decide', { token, action });
const closeDue = () => server.app.services.closing.closeDue(() => false);

const secretTo = async (address: string, subject: string) => {
  await eventually(() =>
    expect(mailbox.received.some((mail) => mail.to[0] === address && mail.subject.includes(subject))).toBe(
      true,
    ),
  );
  const mail = mailbox.received.findLast(
    ({ to, subject: each }) => to[0] === address && each.includes(subject),
  );
  return /#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
};
/** Creates an account with a verified address. */
async function join(name: string, address: string): Promise<Person> {
  const person = await server.join(name);
  done(await server.post('/api/user/email', { email: address, password: PASSWORD }, person.token));
  done(await server.post('/api/user/email/verify', { token: await secretTo(address, '确认') }));
  return person;
}

test('an account with an address is closed after seven days, unless the link in its mail stops it', async () => {
  const [kept, closed] = [await join('留人', 'stay@mail.example'), await join('去人', 'go@mail.example')];
  for (const person of [kept, closed]) expect(done(await close(person, 'keep'))).toContain('7 天后');
  const link = await secretTo('stay@mail.example', '7 天后删除');
  await secretTo('go@mail.example', '7 天后删除');
  expect(await closingTime(kept)).not.toBeNull();
  await closeDue();
  expect(await isOpen('去人')).toBe(true);
  expect((await decide('x'.repeat(43), 'stop')).error).toBe('LINK_OVER');
  expect((await decide(link, 'later')).field).toBe('action');
  done(await decide(link, 'stop'));
  expect(await closingTime(kept)).toBeNull();
  expect((await decide(link, 'now')).error).toBe('LINK_OVER');
  await secretTo('stay@mail.example', '账号不删除了');
  server.pass((7 * DAY_MS) / 1000);
  await closeDue();
  expect(await isOpen('去人')).toBe(false);
  expect(await isOpen('留人')).toBe(true);
});

test('the link closes the account at once; its owner can also stop the closing in the settings', async () => {
  const person = await join('来客', 'guest@mail.example');
  expect((await close(person, 'remove', 'wrong password')).error).toBe('PASSWORD_WRONG');
  expect(await closingTime(person)).toBeNull();
  done(await close(person, 'remove'));
  await secretTo('guest@mail.example', '7 天后删除');
  done(await server.post('/api/user/close/stop', {}, person.token));
  expect(await closingTime(person)).toBeNull();
  done(await close(person, 'keep'));
  const time = await closingTime(person);
  // A thief who removes the address can neither close it at once nor void the link.
  done(await server.post('/api/user/email/remove', { password: PASSWORD }, person.token));
  expect(done(await close(person, 'remove'))).toContain('7 天后');
  expect(await closingTime(person)).toBe(time);
  const links = () =>
    mailbox.received
      .filter(({ to, subject }) => to[0] === 'guest@mail.example' && subject.includes('7 天后删除'))
      .map(({ text }) => /#([\w-]+)/.exec(text)?.[1] ?? '');
  await eventually(() => expect(links()).toHaveLength(2));
  const [first = '', second = ''] = links();
  expect((await decide(first, 'now')).error).toBe('LINK_OVER');
  done(await decide(second, 'now'));
  expect(await isOpen('来客')).toBe(false);
  expect((await server.post('/api/user/safety', {}, person.token)).status).toBe(402);
});

test('without an address, an account is closed at once', async () => {
  const person = await server.join('无邮');
  expect(done(await close(person, 'keep'))).toBe('账号已注销');
  expect(await isOpen('无邮')).toBe(false);
});
