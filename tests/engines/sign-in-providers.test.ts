import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditText } from '../../src/lib/contract/rules/audit.ts';
import { providersIn } from '../../src/lib/contract/rules/sign-in-providers.ts';
import type { App } from '../../src/lib/server/app.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { CLIENT, openIdentityProvider, ssoSettings, type IdentityProvider } from '../identity-provider.ts';
import { account } from './accounts.ts';
import { openSettingsStage, type SettingsStage } from './settings-forms.ts';
import { FROM, PASSWORD } from './staff-stage.ts';

let stage: SettingsStage;
let provider: IdentityProvider;
beforeEach(async () => {
  stage = await openSettingsStage();
  provider = await openIdentityProvider(stage.app.config.origin);
});
afterEach(async () => {
  await stage?.close();
  await provider.close();
});

const change = (texts: Record<string, string>, app?: App) => stage.change('sso', texts, app && { app });
const company = (more: object = {}) => ssoSettings(provider.issuer, { ...more });
const signIn = (app: App) => app.services.auth.signin(account('舵手', PASSWORD), FROM);
const begin = (app: App, id = 'company') => app.services.sso.begin(id, { next: '/', invite: '', link: null });
const linkOperator = () =>
  stage.app.db.write((trx) =>
    trx
      .insertInto('identities')
      .values({
        issuer: `${provider.issuer}/`,
        subject: 'helmsman',
        name: '',
        user_id: stage.operator.viewer.id,
        create_time: stage.now(),
        last_used: stage.now(),
      })
      .execute(),
  );

describe('providers of the console', () => {
  test('are offered at once on every node, in their order, until they are removed', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    await expect(begin(other)).rejects.toMatchObject({ code: 'PROVIDER_UNKNOWN' });
    await change({ SSO_JSON: company() });
    const { url } = await begin(other);
    expect(url.startsWith(`${provider.issuer}/auth?`)).toBe(true);
    expect(url).toContain(encodeURIComponent('/api/oauth/company/callback'));
    const github = { id: 'github', kind: 'github', label: 'GitHub', client_id: 'a', client_secret: 'b' };
    const [stored] = providersIn((await stage.settings('sso', other)).texts['SSO_JSON'] ?? '');
    await change({ SSO_JSON: JSON.stringify({ providers: [github, stored] }) }, other);
    const offered = async (app: App) => (await app.services.site.read()).providers.map(({ id }) => id);
    expect(await offered(other)).toEqual(['github', 'company']);
    await eventually(async () => expect(await offered(stage.app)).toEqual(['github', 'company']));
    await eventually(() => expect(stage.app.backend.site.providers).toHaveLength(2));
    await change({ SSO_JSON: '{"providers":[]}' });
    await expect(begin(other)).rejects.toMatchObject({ code: 'PROVIDER_UNKNOWN' });
    await other.close();
  });

  test('never show their secret again, which is stored sealed and kept while it is not typed', async () => {
    const { texts } = await change({ SSO_JSON: company({ trust: ['email'] }) });
    const shown = texts['SSO_JSON'] ?? '';
    expect(providersIn(shown)).toMatchObject([
      {
        id: 'company',
        client_id: 'moye',
        client_secret: '',
        trust: ['email'],
        scopes: 'openid profile email',
      },
    ]);
    await change({ SSO_JSON: shown.replace('公司账号', '总公司') });
    const held = (await stage.app.services.operatorSettings.held()).sso.value.providers;
    expect(held).toMatchObject([{ label: '总公司', ...CLIENT }]);
    await change({ SSO_JSON: company({ label: '总公司', trust: ['email'], client_secret: 'another one' }) });
    const entries = await stage.audited();
    const stored = [await stage.rows('select * from operator_settings'), entries];
    for (const secret of [CLIENT.client_secret, 'another one', 'client_secret\\":\\"a'])
      expect(JSON.stringify(stored)).not.toContain(secret);
    expect(entries.map(({ after }) => auditText('site', String(after), String))).toEqual([
      '登录方式：公司账号（company，email）',
      '登录方式：总公司（company，email）',
      '登录方式：密钥已更换',
    ]);
  });

  test('are refused if they are wrong, or if a kept secret would go elsewhere', async () => {
    await change({ SSO_JSON: company() });
    const [stored] = providersIn((await stage.settings('sso')).texts['SSO_JSON'] ?? '');
    const one = { ...stored, client_secret: 'x' };
    for (const [providers, text] of [
      [[{ ...one, issuer: 'http://id.example' }], '「公司账号」的Issuer 的地址不正确'],
      [[{ ...one, id: '../x' }], '「公司账号」的编号不正确'],
      [[{ ...one, client_id: ' ' }], '「公司账号」的应用编号'],
      [[{ ...one, kind: 'saml' }], '「公司账号」的设置不正确'],
      [[{ ...one, secret: 'y' }], '「公司账号」的设置不正确'],
      [[one, one], '编号不能重复'],
      [Array.from({ length: 11 }, (_, index) => ({ ...one, id: `p${index}` })), '最多 10 个'],
      [
        [{ ...stored, issuer: 'https://evil.example' }],
        '「公司账号」：换了地址或应用编号，请重新填写应用的密钥',
      ],
      [[{ ...stored, id: 'new' }], '「公司账号」：请填写应用的密钥'],
      [[{ kind: 'github', id: 'g' }], '不是 JSON'],
      [null, '不是 JSON'],
    ] as const)
      await expect(change({ SSO_JSON: JSON.stringify({ providers }) }), text).rejects.toMatchObject({
        code: 'FIELD_INVALID',
        field: 'SSO_JSON',
        message: expect.stringContaining(text),
      });
    await expect(change({ SSO_JSON: '{' })).rejects.toMatchObject({ field: 'SSO_JSON' });
    expect((await stage.app.services.operatorSettings.held()).sso.value.providers).toMatchObject([CLIENT]);
  });

  test('of sso.json win and are fixed', async () => {
    await change({ SSO_JSON: company() });
    const file = join(stage.app.config.dataDir, 'sso.json');
    mkdirSync(stage.app.config.dataDir, { recursive: true });
    writeFileSync(file, ssoSettings('https://id.example', { id: 'file' }));
    const again = await stage.open();
    expect(await stage.settings('sso', again)).toMatchObject({ fixed: { SSO_JSON: file } });
    expect((await again.services.site.read()).providers.map(({ id }) => id)).toEqual(['file']);
    await expect(change({ SSO_JSON: company() }, again)).rejects.toMatchObject({
      code: 'FIELD_FIXED',
      field: 'SSO_JSON',
      message: expect.stringContaining('sso.json'),
    });
    await again.close();
  });
});

describe('the test of a provider', () => {
  test('says that it works, or that the secret is wrong', async () => {
    await change({ SSO_JSON: company() });
    const { sso } = stage.app.services;
    expect(await sso.check('company')).toMatch(/^能用：.*\/api\/oauth\/company\/callback/);
    await change({ SSO_JSON: company({ client_secret: 'wrong' }) });
    await expect(sso.check('company')).rejects.toMatchObject({
      code: 'SSO_FAILED',
      message: '「公司账号」不认这个应用编号或密钥（invalid_client），请检查后重新填写',
    });
    await change({ SSO_JSON: company({ client_id: 'nobody' }) });
    await expect(sso.check('company')).rejects.toMatchObject({
      message: expect.stringContaining('不认这个应用编号或密钥'),
    });
    await expect(sso.check('none')).rejects.toMatchObject({ code: 'PROVIDER_UNKNOWN' });
  });

  test('says that nothing answers, or that the issuer is another one', async () => {
    await change({ SSO_JSON: ssoSettings(`http://127.0.0.1:${await freePort()}`) });
    const { sso } = stage.app.services;
    await expect(sso.check('company')).rejects.toMatchObject({
      message: expect.stringContaining('连不上「公司账号」'),
    });
    await change({ SSO_JSON: ssoSettings(provider.issuer.replace('127.0.0.1', 'localhost')) });
    await expect(sso.check('company')).rejects.toMatchObject({
      message: expect.stringMatching(/文档里的 issuer 不是它$/),
    });
  });
});

describe('signing in by providers only', () => {
  test('is refused while no provider works, or the operator could not sign in', async () => {
    await expect(change({ SSO_ONLY: 'on' })).rejects.toMatchObject({ code: 'FIELD_INVALID' });
    await linkOperator();
    await expect(change({ SSO_ONLY: 'on', SSO_JSON: company() })).rejects.toMatchObject({
      field: 'SSO_ONLY',
      message: expect.stringContaining('先保存它'),
    });
    await change({ SSO_JSON: company({ client_secret: 'wrong' }) });
    await expect(change({ SSO_ONLY: 'on' })).rejects.toMatchObject({
      field: 'SSO_ONLY',
      message: expect.stringMatching(/^没有一个登录方式能用.*invalid_client/),
    });
    await stage.app.db.write((trx) => trx.deleteFrom('identities').execute());
    await change({ SSO_JSON: company() });
    await expect(change({ SSO_ONLY: 'on' })).rejects.toMatchObject({
      field: 'SSO_ONLY',
      message: expect.stringContaining('先在账号安全里绑定'),
    });
    expect(await signIn(stage.app)).toMatchObject({ token: expect.any(String) });
  });

  test('applies at once on every node, and cannot lose its last provider', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    await linkOperator();
    await signIn(other);
    await change({ SSO_JSON: company() });
    await change({ SSO_ONLY: 'on' });
    await expect(signIn(other)).rejects.toMatchObject({ code: 'SSO_ONLY' });
    expect((await other.services.site.read()).sso_only).toBe(true);
    await expect(change({ SSO_JSON: '{"providers":[]}' }, other)).rejects.toMatchObject({
      code: 'FIELD_INVALID',
    });
    await change({ SSO_ONLY: 'off' }, other);
    await signIn(stage.app);
    await other.close();
  });
});
