import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, PASSWORD, type Answer, type Person, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

const call = (path: string, person: Person, fields = {}) => server.post(path, fields, person.token);
const signIn = (username: string) => server.post('/api/signin', { username, password: PASSWORD });
/**
 * Enables two-step verification through the API; returns the generator that an authenticator app would hold.
 */
async function switchOn(person: Person): Promise<TOTP> {
  const { ticket, secret } = done(await call('/api/user/totp/begin', person, { password: PASSWORD }));
  const totp = new TOTP({ secret });
  const code = totp.generate();
  done(await call('/api/user/totp/confirm', person, { ticket, code }));
  return totp;
}

describe('a second step over the wire', () => {
  test('a client without support gets a text message, with the ticket next to it', async () => {
    const person = await server.join('白居易');
    const totp = await switchOn(person);
    const answer = await signIn('白居易');
    expect([answer.status, answer.code, answer.error]).toEqual([200, 'ERROR', 'SECOND_FACTOR_REQUIRED']);
    expect(answer.data).toBe('这个账号开启了两步验证，请在网站的登录页登录');
    const { ticket } = JSON.parse(answer.text) as { ticket: string };
    const finish = (code: string) => server.post('/api/signin/second', { ticket, code });
    expect((await finish('000000')).error).toBe('CODE_WRONG');
    const pair = done(await finish(totp.generate({ timestamp: Date.now() + 30_000 })));
    expect(done(await call('/api/user/safety', { ...person, ...pair }))).toMatchObject({
      has_totp: true,
      recovery_codes: 10,
      needs_totp: false,
      can_use_passkeys: false,
      email: '',
    });
  });

  test('is required of staff while the option is on, from the next request', async () => {
    const [operator, author] = [await server.join('欧阳修'), await server.join('曾巩')];
    const { roles, options } = server.app.services;
    await roles.set('欧阳修', 'operator', null);
    const look = async () => (await call('/api/staff/overview', operator)).error;
    expect(await look()).toBeUndefined();
    await options.change({ secondFactorForStaff: true }, null);
    expect(await look()).toBe('SECOND_FACTOR_MISSING');
    expect(done(await call('/api/user/safety', operator)).needs_totp).toBe(true);
    expect(done(await call('/api/user/safety', author)).needs_totp).toBe(false);
    await server.write(author);
    await server.write(operator);
    await switchOn(operator);
    expect(await look()).toBeUndefined();
    expect((await call('/api/staff/overview', author)).error).toBe('NOT_ALLOWED');
    await options.change({ secondFactorForStaff: false }, null);
    // With two-step verification on, the operator may require it.
    done(await call('/api/staff/options/change', operator, { secondFactorForStaff: 'true' }));
    await options.change({ secondFactorForStaff: false }, null);
  });
});

test('the response to a forgotten password reveals nothing', async () => {
  await server.join('范仲淹');
  const answers: Answer[] = [];
  for (const account of ['范仲淹', '没有这个人', 'nobody@example.com'])
    answers.push(await server.post('/api/signin/forgot', { account }));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
});

test('devices are named after their user agent', async () => {
  const person = await server.join('柳永');
  server.pass(60);
  await server.send('/api/signin', {
    method: 'POST',
    body: new URLSearchParams({ username: '柳永', password: PASSWORD }),
    headers: {
      'User-Agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    },
  });
  const devices = done(await call('/api/user/devices', person)) as { name: string; is_current: boolean }[];
  expect(devices.map(({ name, is_current }) => [name, is_current])).toEqual([
    ['Windows 上的 Chrome', false],
    ['', true],
  ]);
});

describe('bad input', () => {
  test.each([
    ['/api/user/devices/end', { id: 'a\0b' }],
    ['/api/user/email', { email: 'no address', password: PASSWORD }],
    ['/api/user/email', { email: 'a@b.example\r\nBcc: x@example.com', password: PASSWORD }],
    ['/api/user/passkeys/add', { ticket: 'x', name: '钥', response: '{"id":' }],
    ['/api/user/passkeys/add', { ticket: 'x', name: '钥', response: '[]' }],
    ['/api/user/passkeys/rename', { id: '../x', name: '钥' }],
    ['/api/signin/passkey', { response: 'null' }],
    ['/api/signin/forgot', { account: 'a\0b' }],
    ['/api/signin/reset', { token: '', new_password: 'long enough', repassword: 'long enough' }],
    ['/api/user/password', { password: PASSWORD, new_password: 'short', repassword: 'short' }],
    ['/api/user/password', { password: PASSWORD, new_password: 'long enough', repassword: 'another one' }],
    ['/api/user/totp/confirm', { ticket: 'x', code: 'y'.repeat(100) }],
  ])('%s %j is refused as such', async (path, fields) => {
    const person = await server.join(`人${Math.random().toString(36).slice(2, 10)}`);
    const answer = await call(path, person, fields);
    expect([answer.status, answer.code, answer.error]).toEqual([200, 'ERROR', 'FIELD_INVALID']);
  });

  test.each([
    ['/api/signin/second', { ticket: 'nothing', code: '123456' }, 'TICKET_OVER'],
    ['/api/user/email/verify', { token: 'nothing' }, 'LINK_OVER'],
    [
      '/api/signin/reset',
      { token: 'nothing', new_password: 'long enough', repassword: 'long enough' },
      'LINK_OVER',
    ],
    [
      '/api/signin/passkey',
      { response: '{"id":"bm8","rawId":"bm8","type":"public-key","response":{}}' },
      'PASSKEY_UNUSABLE',
    ],
  ])('%s with what is worth nothing: %o', async (path, fields, error) => {
    expect((await server.post(path, fields)).error).toBe(error);
  });
});
