import { TOTP } from 'otpauth';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SESSION_COOKIES } from '../../src/lib/shared/session-cookies.ts';
import { done, PASSWORD } from './server.ts';
import { openSso, type SsoStage } from './sso-stage.ts';

let stage: SsoStage | undefined;
afterEach(() => stage?.close());

test('a provider that is not trusted with addresses links none', async () => {
  stage = await openSso();
  const { server, enter } = stage;
  await server.join('苏辙');
  const { _id } = done(await server.post('/api/user/detail', { username: '苏辙' }));
  await server.app.db.write((trx) => server.app.services.recovery.adopt(trx, _id, 'zhe@example.com'));
  const person = { sub: 'zhe', preferred_username: '别人', email: 'zhe@example.com', email_verified: true };
  expect((await enter(person)).username).toBe('别人');
});

test('a provider that is not trusted with a second factor spares no code', async () => {
  stage = await openSso({ trust: ['email'] });
  const { server, enter } = stage;
  const person = { sub: 'su', preferred_username: '苏洵', amr: ['pwd', 'mfa'] };
  const token = (await enter(person)).cookies.get(SESSION_COOKIES.token);
  const { ticket, secret } = done(await server.post('/api/user/totp/begin', { password: '-' }, token));
  const code = new TOTP({ secret }).generate();
  done(await server.post('/api/user/totp/confirm', { ticket, code }, token));
  const later = await enter(person);
  expect([later.username, later.landing.path]).toEqual([null, '/signin?redirect=%2Fhome']);
  expect(later.landing.hash).not.toBe('');
});

test('no password opens an account that has none', async () => {
  stage = await openSso();
  const { server, enter } = stage;
  await enter({ sub: 'bai', preferred_username: '白居易' });
  for (const password of ['-', PASSWORD])
    expect((await server.post('/api/signin', { username: '白居易', password })).error).toBe('SIGNIN_FAILED');
});

test('with SSO_ONLY the last provider stays linked, password or not', async () => {
  stage = await openSso({ trust: ['email'] }, { SSO_ONLY: 'on' });
  const { server, enter } = stage;
  const token = (await enter({ sub: 'yuan', preferred_username: '元稹' })).cookies.get(SESSION_COOKIES.token);
  const change = { password: '-', new_password: PASSWORD, repassword: PASSWORD };
  done(await server.post('/api/user/password', change, token));
  const [{ id }] = done(await server.post('/api/user/safety', {}, token)).identities;
  const unlinked = await server.post('/api/user/identities/unlink', { id, password: PASSWORD }, token);
  expect(unlinked.error).toBe('LAST_WAY_IN');
  expect((await enter({ sub: 'yuan' })).username).toBe('元稹');
});

test('only verified addresses of the listed domains, and members of the listed groups, sign in', async () => {
  stage = await openSso({ domains: ['Corp.example'], groups: ['writers'] });
  const outcome = async (claims: Record<string, unknown>) => {
    const sub = Math.random().toString(36);
    const { username, landing } = await (stage as SsoStage).enter({ sub, ...claims });
    return username ?? landing.path.replace(/.*refused=/, '');
  };
  const writer = {
    preferred_username: '写手',
    email: 'a@corp.example',
    email_verified: true,
    groups: ['writers'],
  };
  const refused = 'SSO_NOT_ADMITTED';
  expect(await outcome({ ...writer, email_verified: false })).toBe(refused);
  expect(await outcome({ ...writer, email: 'a@evil-corp.example' })).toBe(refused);
  expect(await outcome({ ...writer, email: 'a@corp.example@evil.example' })).toBe(refused);
  expect(await outcome({ ...writer, groups: ['readers'] })).toBe(refused);
  expect(await outcome({ ...writer, groups: undefined })).toBe(refused);
  expect(await stage.server.rows('select * from identities')).toEqual([]);
  expect(await outcome(writer)).toBe('写手');
});

describe('an address that the provider has not called verified', () => {
  const DOMAINS = { domains: ['corp.example'] };
  let count = 0;
  const claimsWith = (email_verified: unknown, email = 'z@corp.example') => ({
    sub: `a${++count}`,
    preferred_username: `张三${count}`,
    email,
    ...(email_verified === undefined ? {} : { email_verified }),
  });
  /** Signs persons in one after another; returns whether each was admitted, and the reasons in the log. */
  const enterAll = async (settings: Record<string, unknown>, persons: ReturnType<typeof claimsWith>[]) => {
    stage = await openSso({ ...DOMAINS, ...settings });
    const warn = vi.spyOn(stage.server.app.log, 'warn');
    const admitted: boolean[] = [];
    for (const person of persons) admitted.push((await stage.enter(person)).username !== null);
    const logged = warn.mock.calls.map(([fields]) => fields);
    warn.mockRestore();
    return { admitted, logged };
  };
  const NO = [false, 'false', 0, '0', 'no', [true], {}];
  const YES = [true, 'true', 'True', 1, '1'];

  test.each([{}, { trustsEmail: true }])('is admitted whatever form a yes has: %j', async (settings) => {
    const { admitted, logged } = await enterAll(
      settings,
      YES.map((value) => claimsWith(value)),
    );
    expect(admitted).toEqual(YES.map(() => true));
    expect(logged).toEqual([]);
  });

  test.each([{}, { trustsEmail: true }])('stays unverified if the claim says so: %j', async (settings) => {
    const { admitted, logged } = await enterAll(
      settings,
      NO.map((value) => claimsWith(value)),
    );
    expect(admitted).toEqual(NO.map(() => false));
    const problem = 'the provider says that the mail address is not verified';
    expect(logged).toEqual(NO.map(() => ({ provider: 'company', problem })));
  });

  test('is refused without the claim, and the log says why, without personal data', async () => {
    const persons = [claimsWith(undefined), claimsWith(true, 'z@other.example'), claimsWith(true, '')];
    const { admitted, logged } = await enterAll({}, persons);
    expect(admitted).toEqual([false, false, false]);
    expect(logged).toMatchObject([
      { problem: expect.stringMatching(/does not say whether .* email_verified\); see trustsEmail/) },
      { problem: expect.stringContaining('not among the domains') },
      { problem: expect.stringContaining('names no mail address') },
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/张三|corp|other/);
  });

  test('counts as verified with trustsEmail, in the listed domains only', async () => {
    const persons = [
      claimsWith(undefined),
      claimsWith(null),
      claimsWith(''),
      claimsWith(undefined, 'z@other.example'),
    ];
    expect((await enterAll({ trustsEmail: true }, persons)).admitted).toEqual([true, true, true, false]);
  });

  test.each([true, false])('links an account only if trusted for that too: %s', async (isTrusted) => {
    stage = await openSso({ trustsEmail: true, trust: isTrusted ? ['email'] : [] });
    const { server, enter } = stage;
    await server.join('苏辙');
    const { _id } = done(await server.post('/api/user/detail', { username: '苏辙' }));
    await server.app.db.write((trx) => server.app.services.recovery.adopt(trx, _id, 'zhe@example.com'));
    const person = claimsWith(undefined, 'zhe@example.com');
    expect((await enter(person)).username).toBe(isTrusted ? '苏辙' : person.preferred_username);
  });
});

test('roles follow the groups at each sign-in, and the last operator stays one', async () => {
  stage = await openSso({ roles: { chiefs: 'operator', editors: 'editor' } });
  const { server, enter } = stage;
  const roleOf = async () => {
    const [row] = await server.rows("select role from users where username = '主编'");
    return row?.['role'];
  };
  const chief = { sub: 'chief', preferred_username: '主编' };
  await enter({ ...chief, groups: ['editors', 'chiefs'] });
  expect(await roleOf()).toBe('operator');
  await enter({ ...chief, groups: ['editors'] });
  expect(await roleOf()).toBe('operator');
  await server.join('另一位');
  await server.app.services.roles.set('另一位', 'operator', null);
  await enter({ ...chief, groups: ['editors'] });
  expect(await roleOf()).toBe('editor');
  await enter({ ...chief, groups: [] });
  expect(await roleOf()).toBe('author');
  const actions = await server.rows("select action from audit_log where subject_kind = 'user'");
  expect(actions).toHaveLength(4);
});

test('with SSO_ONLY nothing but a provider signs in, except a password that the operator lets be set', async () => {
  stage = await openSso({}, { SSO_ONLY: 'on' });
  const { server, enter, browser } = stage;
  const { accounts, recovery, roles } = server.app.services;
  await accounts.add({ username: '站长甲', password: PASSWORD, bio: '' });
  await roles.set('站长甲', 'operator', null);
  const account = { username: '站长甲', password: PASSWORD };
  expect((await server.post('/api/signin', account)).error).toBe('SSO_ONLY');
  expect((await server.post('/api/signin', { ...account, password: 'wrong' })).error).toBe('SIGNIN_FAILED');
  const signup = { username: '新来', password: PASSWORD, repassword: PASSWORD };
  expect((await server.post('/api/signup', signup)).error).toBe('SSO_ONLY');
  expect((await server.post('/api/signin/forgot', { account: '站长甲' })).error).toBe('SSO_ONLY');
  const answer = { response: '{"id":"bm8","rawId":"bm8","type":"public-key","response":{}}' };
  expect((await server.post('/api/signin/passkey', answer)).error).toBe('SSO_ONLY');
  const page = await browser().open('/signin');
  expect(page.text).toContain('用公司账号登录');
  expect(page.text).not.toContain('name="password"');
  expect((await enter({ sub: 'new', preferred_username: '新来' })).username).toBe('新来');

  const { link } = await recovery.rescue('站长甲', { dropsSecondFactor: false }, async () => {});
  const fields = {
    token: link.split('#')[1] ?? '',
    new_password: `${PASSWORD}。`,
    repassword: `${PASSWORD}。`,
  };
  done(await server.post('/api/signin/reset', fields));
  const rescued = { username: '站长甲', password: `${PASSWORD}。` };
  expect(done(await server.post('/api/signin', rescued))).toHaveProperty('token');
  expect((await browser().open('/signin?password')).text).toContain('name="password"');
  server.pass(3601);
  expect((await server.post('/api/signin', rescued)).error).toBe('SSO_ONLY');
});
