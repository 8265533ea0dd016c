import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ssoOf, type ProviderSettings } from '../../../../src/lib/server/config/sso-settings.ts';
import { createProvider, issuerOf } from '../../../../src/lib/server/sso/sso-service.ts';

const BACK = 'https://blog.example/api/oauth/x/callback';
const SECRETS = { state: 'the-state', nonce: 'the-nonce', verifier: 'v'.repeat(43) };
const CHALLENGE = createHash('sha256').update(SECRETS.verifier).digest('base64url');

type Kind = Exclude<ProviderSettings['kind'], 'oidc'>;
type Sent = { url: string; method: string; body: string; authorization: string | undefined };

const settingsOf = (kind: Kind): ProviderSettings => {
  const provider = { id: 'x', kind, client_id: 'client', client_secret: 'secret' };
  const whole = kind === 'wecom' ? { ...provider, agent_id: '1000002' } : provider;
  const [settings] = ssoOf('/nowhere', {
    SSO_ONLY: 'off',
    SSO_JSON: JSON.stringify({ providers: [whole] }),
  }).providers;
  if (!settings) throw new Error('no provider');
  return settings;
};

/** A provider whose addresses answer with `answers`, by host and path. */
function open(kind: Kind, answers: Record<string, unknown>) {
  const sent: Sent[] = [];
  const provider = createProvider(settingsOf(kind), async (url, { method, headers, body = '' }) => {
    sent.push({ url, method, body, authorization: headers['Authorization'] });
    const { host, pathname } = new URL(url);
    const answer = answers[host + pathname];
    return answer === undefined ? new Response('', { status: 404 }) : Response.json(answer);
  });
  return { provider, sent };
}

const callback = (query: string) => new URL(`${BACK}?${query}`);

const GITHUB = {
  'github.com/login/oauth/access_token': { access_token: 'gho', token_type: 'bearer' },
  'api.github.com/user': { id: 583231, login: 'octocat', email: 'public@example.com' },
  'api.github.com/user/emails': [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'octocat@example.com', primary: true, verified: true },
  ],
};
const GITEE = {
  'gitee.com/oauth/token': { access_token: 'gitee', token_type: 'bearer' },
  'gitee.com/api/v5/user': { id: 7, login: 'yang' },
  'gitee.com/api/v5/emails': [
    { email: 'yang@example.com', state: 'confirmed', scope: ['primary', 'notified'] },
  ],
};
const WECOM = {
  'qyapi.weixin.qq.com/cgi-bin/gettoken': { errcode: 0, errmsg: 'ok', access_token: 'corp' },
  'qyapi.weixin.qq.com/cgi-bin/auth/getuserinfo': { errcode: 0, userid: 'zhangsan' },
  'qyapi.weixin.qq.com/cgi-bin/user/get': {
    errcode: 0,
    name: '张三',
    biz_mail: 'zs@corp.example',
    department: [1, 20],
  },
};
const FEISHU = {
  'open.feishu.cn/open-apis/authen/v2/oauth/token': { code: 0, access_token: 'u-1', token_type: 'Bearer' },
  'open.feishu.cn/open-apis/authen/v1/user_info': {
    code: 0,
    data: { open_id: 'ou_1', name: '李四', email: 'typed@example.com', enterprise_email: 'ls@corp.example' },
  },
};

describe('the address of a provider', () => {
  test.each([
    [
      'github',
      'https://github.com/login/oauth/authorize',
      { client_id: 'client', code_challenge: CHALLENGE },
    ],
    ['gitee', 'https://gitee.com/oauth/authorize', { client_id: 'client', response_type: 'code' }],
    ['wecom', 'https://login.work.weixin.qq.com/wwlogin/sso/login', { appid: 'client', agentid: '1000002' }],
    ['feishu', 'https://accounts.feishu.cn/open-apis/authen/v1/authorize', { code_challenge_method: 'S256' }],
  ] as [Kind, string, Record<string, string>][])(
    'of %s has what it asks for',
    async (kind, address, fields) => {
      const url = await open(kind, {}).provider.begin(SECRETS, BACK);
      expect(url.origin + url.pathname).toBe(address);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        ...fields,
        redirect_uri: BACK,
        state: 'the-state',
      });
      expect(url.href).not.toContain('secret');
    },
  );
});

describe('a person', () => {
  test.each([
    [
      'github',
      GITHUB,
      { subject: '583231', name: 'octocat', email: 'octocat@example.com', issuer: 'https://github.com/' },
    ],
    ['gitee', GITEE, { subject: '7', name: 'yang', email: 'yang@example.com', issuer: 'https://gitee.com/' }],
    [
      'wecom',
      WECOM,
      {
        subject: 'zhangsan',
        name: '张三',
        email: 'zs@corp.example',
        groups: ['1', '20'],
        issuer: 'wecom:client',
      },
    ],
    ['feishu', FEISHU, { subject: 'ou_1', name: '李四', email: 'ls@corp.example', issuer: 'feishu:client' }],
  ] as [Kind, Record<string, unknown>, object][])(
    'of %s is read from its answers',
    async (kind, answers, person) => {
      const { provider } = open(kind, answers);
      expect(await provider.finish(callback('code=c&state=the-state'), SECRETS)).toEqual({
        groups: [],
        hasSecondFactor: false,
        ...person,
      });
      expect(issuerOf(settingsOf(kind))).toBe((person as { issuer: string }).issuer);
    },
  );

  test('has no address that the provider has not verified', async () => {
    const emails = [{ email: 'a@example.com', primary: true, verified: false }];
    const github = open('github', { ...GITHUB, 'api.github.com/user/emails': emails });
    expect(await github.provider.finish(callback('code=c'), SECRETS)).toMatchObject({ email: null });
    const unconfirmed = [{ email: 'a@example.com', state: 'unconfirmed', scope: ['primary'] }];
    const gitee = open('gitee', { ...GITEE, 'gitee.com/api/v5/emails': unconfirmed });
    expect(await gitee.provider.finish(callback('code=c'), SECRETS)).toMatchObject({ email: null });
  });

  test('is asked for with the code and its verifier, and with the token in a header', async () => {
    const { provider, sent } = open('github', GITHUB);
    await provider.finish(callback('code=the-code'), SECRETS);
    expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'client',
      client_secret: 'secret',
      code: 'the-code',
      redirect_uri: BACK,
      code_verifier: SECRETS.verifier,
    });
    expect(sent[1]).toMatchObject({ url: 'https://api.github.com/user', authorization: 'Bearer gho' });
  });
});

describe('an answer is refused', () => {
  test.each([
    ['github', GITHUB, 'github.com/login/oauth/access_token', { error: 'bad_verification_code' }],
    ['github', GITHUB, 'github.com/login/oauth/access_token', {}],
    ['github', GITHUB, 'api.github.com/user', null],
    [
      'wecom',
      WECOM,
      'qyapi.weixin.qq.com/cgi-bin/auth/getuserinfo',
      { errcode: 40029, errmsg: 'invalid code' },
    ],
    [
      'feishu',
      FEISHU,
      'open.feishu.cn/open-apis/authen/v2/oauth/token',
      { code: 20003, error: 'invalid_grant' },
    ],
  ] as [Kind, Record<string, unknown>, string, unknown][])(
    'by %s (%#)',
    async (kind, answers, path, answer) => {
      const { provider } = open(kind, { ...answers, [path]: answer });
      await expect(provider.finish(callback('code=c'), SECRETS)).rejects.toThrow(/^the provider/);
    },
  );

  test.each(['', 'error=access_denied', 'code=c&error=access_denied', 'code=c&iss=https://gitee.com'])(
    'without a code, with an error, or of another issuer: %s',
    async (query) => {
      const { provider, sent } = open('github', GITHUB);
      await expect(provider.finish(callback(query), SECRETS)).rejects.toThrow(/^the (?:provider|answer)/);
      expect(sent).toEqual([]);
    },
  );
});

describe('a test with a made-up code', () => {
  test.each([
    [
      'github',
      { 'github.com/login/oauth/access_token': { error: 'bad_verification_code' } },
      'bad_verification_code',
    ],
    [
      'github',
      { 'github.com/login/oauth/access_token': { error: 'incorrect_client_credentials' } },
      'incorrect_client_credentials',
    ],
    ['gitee', { 'gitee.com/oauth/token': { error: 'invalid_grant' } }, 'invalid_grant'],
    ['wecom', { ...WECOM, 'qyapi.weixin.qq.com/cgi-bin/auth/getuserinfo': { errcode: 40029 } }, '40029'],
    ['wecom', { 'qyapi.weixin.qq.com/cgi-bin/gettoken': { errcode: 40001 } }, '40001'],
    [
      'feishu',
      { 'open.feishu.cn/open-apis/authen/v2/oauth/token': { code: 20002, error: 'invalid_client' } },
      'invalid_client',
    ],
    ['feishu', {}, 'HTTP 404'],
  ] as [Kind, Record<string, unknown>, string][])(
    'of %s returns the error code',
    async (kind, answers, code) => {
      const { provider, sent } = open(kind, answers);
      expect(await provider.check(BACK)).toBe(code);
      expect(sent.length).toBeGreaterThan(0);
    },
  );
});
