import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SESSION_COOKIES } from '../../src/lib/shared/session-cookies.ts';
import { done, PASSWORD } from './server.ts';
import { openSso, type Browser, type SsoStage } from './sso-stage.ts';

let stage: SsoStage;
beforeAll(async () => {
  stage = await openSso({ trust: ['email', 'mfa'] });
});
afterAll(() => stage?.close());
beforeEach(() => stage.server.app.services.options.change({ signup: 'open', reserved_names: [] }, null));

const tokenOf = ({ cookies }: Browser) => cookies.get(SESSION_COOKIES.token) ?? '';
const call = (path: string, browser: Browser, fields = {}) =>
  stage.server.post(path, fields, tokenOf(browser));
const countUsers = async () => (await stage.server.rows('select id from users')).length;
/** Confirms an address of an account, as its link does. */
const confirmAddress = (username: string, address: string) =>
  stage.server.app.db.write(async (trx) => {
    const { id } = await trx
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    await stage.server.app.services.recovery.adopt(trx, id, address);
  });

describe('signing in at a provider', () => {
  test('creates an account the first time, and opens the same one later', async () => {
    const person = {
      sub: 'wang',
      preferred_username: '王维',
      email: 'wang@example.com',
      email_verified: true,
    };
    const first = await stage.enter(person);
    expect([first.landing.path, first.username]).toEqual(['/home', '王维']);
    const safety = done(await call('/api/user/safety', first));
    expect(safety).toMatchObject({
      has_password: false,
      email: 'wang@example.com',
      identities: [{ provider: 'company', label: '公司账号', name: '王维' }],
    });
    const count = await countUsers();
    const later = await stage.enter({ ...person, preferred_username: '摩诘' });
    expect(later.username).toBe('王维');
    expect(await countUsers()).toBe(count);
    expect(done(await call('/api/user/devices', later))).toHaveLength(2);
  });

  test('returns to the page that asked, and to no other site', async () => {
    stage.idp.person = { sub: 'meng', preferred_username: '孟浩然' };
    const browser = stage.browser();
    expect((await browser.open('/api/oauth/company?redirect=/user/list')).path).toBe('/user/list');
    for (const evil of ['//evil.example', 'https://evil.example', '/\\evil.example', '/%2fevil.example']) {
      const other = stage.browser();
      expect((await other.open(`/api/oauth/company?redirect=${encodeURIComponent(evil)}`)).path).toBe(
        '/home',
      );
    }
  });

  test('sets the cookies of a browser’s session and removes its own', async () => {
    const { cookies } = await stage.enter({ sub: 'li', preferred_username: '李白' });
    expect([...cookies.keys()].sort()).toEqual(['moye-device', 'refreshToken', 'token', 'user']);
  });

  test('asks for a name if the proposed one is taken, reserved or not a name', async () => {
    await stage.server.join('杜甫');
    for (const [sub, name] of [
      ['du', '杜甫'],
      ['guan', '管理员'],
      ['san', '张 三'],
      ['none', ''],
    ] as const) {
      const browser = await stage.enter({ sub, preferred_username: name });
      const { pathname, searchParams } = new URL(browser.landing.path, 'http://site.test');
      expect([pathname, searchParams.get('name') ?? '', browser.username]).toEqual([
        '/signup/name',
        name,
        null,
      ]);
      expect(browser.landing.text).toContain('取一个用户名');
    }
    const browser = await stage.enter({ sub: 'du', preferred_username: '杜甫' });
    const refusedAgain = await browser.submit('/api/signup/oauth?page=1', { username: '杜 甫' });
    expect(refusedAgain.path).toContain('refused=FIELD_INVALID');
    const landing = await browser.submit('/api/signup/oauth?page=1', {
      username: '杜少陵',
      redirect: '/home',
    });
    expect([landing.path, browser.username]).toEqual(['/home', '杜少陵']);
    expect((await stage.enter({ sub: 'du', preferred_username: '杜甫' })).username).toBe('杜少陵');
  });

  test('keeps to the ways to sign up', async () => {
    const { options, invitations } = stage.server.app.services;
    await options.change({ signup: 'closed' }, null);
    const late = await stage.enter({ sub: 'late', preferred_username: '来迟' });
    expect(late.landing.path).toContain('/signin?');
    expect(late.landing.text).toContain('本站暂不开放注册');
    await options.change({ signup: 'invitation' }, null);
    const uninvited = await stage.enter({ sub: 'guest', preferred_username: '客人' });
    expect(uninvited.landing.path).toContain('/signup/name');
    expect(uninvited.landing.text).toContain('本站凭邀请码注册，请填写邀请码');
    const { code } = await invitations.add({ uses: 1, days: 1, note: '' }, null);
    await uninvited.submit('/api/signup/oauth?page=1', { username: '客人', invite: code });
    expect(uninvited.username).toBe('客人');
    const [used] = await invitations.list();
    expect(used?.guests).toEqual(['客人']);
    const { code: second } = await invitations.add({ uses: 1, days: 1, note: '' }, null);
    stage.idp.person = { sub: 'friend', preferred_username: '友人' };
    const invited = stage.browser();
    await invited.open(`/api/oauth/company?invite=${second}`);
    expect(invited.username).toBe('友人');
  });

  test('refuses a banned account', async () => {
    await stage.enter({ sub: 'bad', preferred_username: '坏人' });
    await stage.server.app.services.bans.ban(
      { username: '坏人', until: null, reason: '广告', hides: false },
      null,
    );
    const browser = await stage.enter({ sub: 'bad' });
    expect(browser.landing.path).toContain('refused=ACCOUNT_BANNED');
    expect([browser.landing.text.includes('这个账号已被封禁'), browser.username]).toEqual([true, null]);
  });

  test('never opens a closed account again', async () => {
    const gone = await stage.enter({ sub: 'gone', preferred_username: '归去' });
    done(await call('/api/user/close', gone, { password: '-', contents: 'remove' }));
    const again = await stage.enter({ sub: 'gone', preferred_username: '归去' });
    expect(again.landing.path).toContain('/signup/name');
    await again.submit('/api/signup/oauth?page=1', { username: '归来' });
    expect(again.username).toBe('归来');
  });

  test('asks for the code of two-step verification, unless the provider has asked for a second factor', async () => {
    const person = { sub: 'twice', preferred_username: '两步' };
    const browser = await stage.enter(person);
    const { ticket, secret } = done(await call('/api/user/totp/begin', browser, { password: '-' }));
    const totp = new TOTP({ secret });
    done(await call('/api/user/totp/confirm', browser, { ticket, code: totp.generate() }));
    const later = await stage.enter(person);
    expect([later.username, later.landing.path]).toEqual([null, '/signin?redirect=%2Fhome']);
    const code = totp.generate({ timestamp: Date.now() + 30_000 });
    const answer = { ticket: later.landing.hash.slice(1), code };
    expect(done(await stage.server.post('/api/signin/second', answer))).toHaveProperty('token');
    const vouched = await stage.enter({ ...person, amr: ['pwd', 'mfa'] });
    expect(vouched.username).toBe('两步');
  });
});

describe('an address that belongs to an account', () => {
  test('links by itself only if the provider has verified it', async () => {
    await stage.server.join('苏轼');
    await confirmAddress('苏轼', 'su@example.com');
    const unverified = await stage.enter({
      sub: 'thief',
      preferred_username: '小偷',
      email: 'su@example.com',
      email_verified: false,
    });
    expect(unverified.username).toBe('小偷');
    expect(done(await call('/api/user/safety', unverified)).email).toBe('');
    const owner = await stage.enter({ sub: 'su', email: 'SU@example.com', email_verified: true });
    expect(owner.username).toBe('苏轼');
    const password = { username: '苏轼', password: PASSWORD };
    expect(done(await stage.server.post('/api/signin', password))).toHaveProperty('token');
  });
});

describe('linked accounts', () => {
  const link = async (username: string, sub: string) => {
    const { token } = await stage.server.join(username);
    const browser = stage.browser();
    browser.cookies.set(SESSION_COOKIES.token, token);
    const { url } = done(
      await call('/api/user/identities/link', browser, { provider: 'company', password: PASSWORD }),
    );
    stage.idp.person = { sub, preferred_username: sub };
    return { browser, url: String(url), landing: await browser.open(String(url)) };
  };

  test('are linked with the password, and unlinked unless nothing else signs the user in', async () => {
    const { browser, url, landing } = await link('韩愈', 'han');
    expect([landing.path, landing.text.includes('已绑定公司账号')]).toEqual([
      '/user/settings?linked=company',
      true,
    ]);
    expect((await stage.enter({ sub: 'han' })).username).toBe('韩愈');
    expect((await browser.open(url)).path).toBe('/user/settings?refused=TICKET_OVER');
    const [{ id }] = done(await call('/api/user/safety', browser)).identities;
    const wrong = await call('/api/user/identities/unlink', browser, { id, password: 'wrong' });
    expect(wrong.error).toBe('PASSWORD_WRONG');
    done(await call('/api/user/identities/unlink', browser, { id, password: PASSWORD }));
    expect((await stage.enter({ sub: 'han', preferred_username: '新人' })).username).toBe('新人');

    const only = await stage.enter({ sub: 'only', preferred_username: '唯一' });
    const [{ id: last }] = done(await call('/api/user/safety', only)).identities;
    const refused = await call('/api/user/identities/unlink', only, { id: last, password: '-' });
    expect(refused.error).toBe('LAST_WAY_IN');
    const change = { password: '-', new_password: PASSWORD, repassword: PASSWORD };
    done(await call('/api/user/password', only, change));
    expect((await call('/api/user/identities/unlink', only, { id: last, password: '-' })).error).toBe(
      'PASSWORD_WRONG',
    );
    done(await call('/api/user/identities/unlink', only, { id: last, password: PASSWORD }));
  });

  test('belong to one account each', async () => {
    await link('柳宗元', 'liu');
    const { landing } = await link('刘禹锡', 'liu');
    expect(landing.path).toBe('/user/settings?refused=IDENTITY_TAKEN');
    expect((await stage.enter({ sub: 'liu' })).username).toBe('柳宗元');
  });

  test('are not linked in a browser that is signed in as another user', async () => {
    const [victim, attacker] = [await stage.server.join('受害者'), await stage.server.join('攻击者')];
    const { url } = done(
      await stage.server.post(
        '/api/user/identities/link',
        { provider: 'company', password: PASSWORD },
        attacker.token,
      ),
    );
    const browser = stage.browser();
    browser.cookies.set(SESSION_COOKIES.token, victim.token);
    stage.idp.person = { sub: 'victim', preferred_username: 'victim' };
    expect((await browser.open(String(url))).path).toBe('/user/settings?refused=SSO_FAILED');
    expect(await stage.server.rows("select subject from identities where subject = 'victim'")).toEqual([]);
  });

  test('without a password, changes need a sign-in within ten minutes', async () => {
    const browser = await stage.enter({ sub: 'old', preferred_username: '旧人' });
    const change = () => call('/api/user/totp/begin', browser, { password: '-' });
    stage.server.pass(11 * 60);
    expect((await change()).error).toBe('SIGNIN_AGAIN');
    const again = await stage.enter({ sub: 'old' });
    done(await call('/api/user/totp/begin', again, { password: '-' }));
  });
});

describe('the calls of the predecessor', () => {
  test('are refused in the envelope where there is no such provider', async () => {
    for (const path of ['/api/oauth/github', '/api/oauth/weibo', '/api/oauth/weibo/callback?code=1&state=2'])
      expect([path, (await stage.server.get(path)).error]).toEqual([path, 'PROVIDER_UNKNOWN']);
    expect((await stage.server.post('/api/signup/oauth', { username: '谁' })).error).toBe('SSO_FAILED');
  });
});
