import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT, openIdentityProvider, type IdentityProvider } from '../identity-provider.ts';
import { openForgedProvider, type ForgedProvider } from './forged-provider.ts';
import { done, openServer, PASSWORD, type TestServer } from './server.ts';
import { openBrowser, SITE, type Browser } from './sso-stage.ts';

const CALLBACK = /^\/api\/oauth\/\w+\/callback$/;

let server: TestServer;
let honest: IdentityProvider;
let forged: ForgedProvider;
beforeAll(async () => {
  [honest, forged] = [await openIdentityProvider(SITE), await openForgedProvider()];
  const oidc = { kind: 'oidc', ...CLIENT };
  const providers = [
    { id: 'company', label: '公司账号', issuer: honest.issuer, ...oidc },
    { id: 'forged', label: '假冒', issuer: forged.issuer, ...oidc },
    { id: 'away', label: '连不上的', issuer: 'http://127.0.0.1:9', ...oidc },
  ];
  server = await openServer({ SITE_URL: SITE, SSO_JSON: JSON.stringify({ providers }) });
});
afterAll(async () => {
  await server?.close();
  await honest?.close();
  await forged?.close();
});

const countUsers = async () => (await server.rows('select id from users')).length;
/** Begins at the forged provider; returns what its answer needs. */
const begin = async () => {
  const browser = openBrowser(server.url);
  const response = await fetch(`${server.url}/api/oauth/forged`, { redirect: 'manual' });
  for (const set of response.headers.getSetCookie()) {
    const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
    browser.cookies.set(name, value);
  }
  const asked = new URL(response.headers.get('location') ?? '').searchParams;
  return { browser, state: asked.get('state') ?? '', nonce: asked.get('nonce') ?? '', asked };
};
const answer = (browser: Browser, fields: Record<string, string>, id = 'forged') =>
  browser.open(`/api/oauth/${id}/callback?${new URLSearchParams(fields).toString()}`);

describe('an ID token', () => {
  const outcome = async (
    token: (claims: JWTPayload) => string | Promise<string>,
    claims: JWTPayload = {},
  ) => {
    const { browser, state, nonce } = await begin();
    forged.forge(async () => token({ nonce, preferred_username: `某人${nonce.slice(0, 6)}`, ...claims }));
    const { path } = await answer(browser, { code: 'code', state, iss: forged.issuer });
    return { path, isSignedIn: browser.username !== null };
  };
  const REFUSED = { path: '/signin?redirect=%2Fhome&refused=SSO_FAILED', isSignedIn: false };
  const hours = (count: number) => Math.floor(Date.now() / 1000) + count * 3600;

  test('of an honest answer signs in', async () => {
    expect(await outcome(forged.sign)).toMatchObject({ isSignedIn: true });
  });

  test.each([
    ['another nonce', { nonce: 'replayed' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another client' }],
    ['several audiences, none of which it is issued to', { aud: ['moye', 'other'], azp: 'other' }],
    ['another issuer', { iss: 'https://issuer.example' }],
    ['an expiry in the past', { iat: hours(-2), exp: hours(-1) }],
    ['a time in the future', { iat: hours(1), nbf: hours(1), exp: hours(2) }],
    ['no subject', { sub: '' }],
  ] as [string, JWTPayload][])('with %s is refused', async (_, claims) => {
    expect(await outcome(forged.sign, claims)).toEqual(REFUSED);
  });

  test('of a clock that is some seconds ahead is accepted', async () => {
    const ahead = { sub: 'ahead', iat: Math.floor(Date.now() / 1000) + 15 };
    expect(await outcome(forged.sign, ahead)).toMatchObject({ isSignedIn: true });
  });

  test.each([
    ['without a signature', () => forged.unsigned],
    ['signed with the secret of the client', () => forged.signWithSecret],
    ['signed with another key', () => forged.signWithOtherKey],
    ['that is none', () => async () => 'none'],
  ] as [string, () => (claims: JWTPayload) => string | Promise<string>][])(
    '%s is refused',
    async (_, sign) => {
      expect(await outcome(sign())).toEqual(REFUSED);
    },
  );
});

describe('an answer', () => {
  test('is asked for with PKCE, state and nonce', async () => {
    const { asked } = await begin();
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked.get('redirect_uri')).toBe(`${SITE}/api/oauth/forged/callback`);
  });

  test('with another state, of another browser or without a cookie is refused', async () => {
    const { browser, state } = await begin();
    const fields = { code: 'code', state, iss: forged.issuer };
    for (const [who, given] of [
      [browser.copy(), { ...fields, state: 'forged' }],
      [(await begin()).browser, fields],
      [openBrowser(server.url), fields],
    ] as const)
      expect((await answer(who, given)).path).toContain('refused=SSO_FAILED');
  });

  test('that names another issuer, or comes to another provider, is refused', async () => {
    for (const iss of [honest.issuer, 'https://issuer.example', '']) {
      const { browser, state, nonce } = await begin();
      forged.forge(() => forged.sign({ nonce, sub: 'mixed' }));
      const fields = { code: 'code', state, ...(iss === '' ? {} : { iss }) };
      expect((await answer(browser, fields)).path).toContain('refused=SSO_FAILED');
    }
    const { browser, state } = await begin();
    const fields = { code: 'code', state, iss: forged.issuer };
    expect((await answer(browser, fields, 'company')).path).toContain('refused=SSO_FAILED');
    expect(await server.rows("select subject from identities where subject = 'mixed'")).toEqual([]);
  });

  test('with an error of the provider is refused', async () => {
    const { browser, state } = await begin();
    const fields = { error: 'access_denied', state, iss: forged.issuer };
    expect((await answer(browser, fields)).text).toContain('没能完成登录，请再试一次');
  });

  test('is accepted once, also if it arrives several times at the same moment', async () => {
    const { browser, state, nonce } = await begin();
    forged.forge(() => forged.sign({ nonce, sub: 'once', preferred_username: '一次' }));
    const fields = { code: 'code', state, iss: forged.issuer };
    const before = await countUsers();
    const browsers = Array.from({ length: 4 }, () => browser.copy());
    const landings = await Promise.all(browsers.map((each) => answer(each, fields)));
    expect(browsers.filter(({ username }) => username === '一次')).toHaveLength(1);
    expect(landings.filter((landing) => landing.path.includes('refused=SSO_FAILED'))).toHaveLength(3);
    expect(await countUsers()).toBe(before + 1);
    expect((await answer(browser.copy(), fields)).path).toContain('refused=SSO_FAILED');
  });

  test('of two browsers for the same new person creates one account', async () => {
    honest.person = { sub: 'twin', preferred_username: '双生' };
    const browsers = [openBrowser(server.url), openBrowser(server.url)];
    const paths: string[] = [];
    for (const browser of browsers) paths.push((await browser.open('/api/oauth/company', CALLBACK)).path);
    await Promise.all(browsers.map((browser, index) => browser.open(paths[index] ?? '')));
    expect(await server.rows("select subject from identities where subject = 'twin'")).toHaveLength(1);
    expect(await server.rows("select id from users where username = '双生'")).toHaveLength(1);
  });

  test('after ten minutes is refused', async () => {
    const { browser, state, nonce } = await begin();
    forged.forge(() => forged.sign({ nonce, sub: 'slow' }));
    server.pass(601);
    const landing = await answer(browser, { code: 'code', state, iss: forged.issuer });
    expect(landing.path).toContain('refused=SSO_FAILED');
  });
});

describe('a provider that is away', () => {
  test('is reported in Chinese, and passwords still sign in', async () => {
    const browser = openBrowser(server.url);
    const landing = await browser.open('/api/oauth/away?redirect=/write');
    expect(landing.path).toBe('/signin?redirect=%2Fwrite&refused=PROVIDER_UNREACHABLE');
    expect(landing.text).toContain('现在连不上这种登录方式的服务，请稍后再试，或换一种方式登录');
    await server.join('照常');
    const account = { username: '照常', password: PASSWORD };
    expect(done(await server.post('/api/signin', account))).toHaveProperty('token');
  });
});
