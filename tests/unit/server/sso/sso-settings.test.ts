import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ssoOf } from '../../../../src/lib/server/config/sso-settings.ts';

const OIDC = {
  id: 'company',
  kind: 'oidc',
  label: '公司账号',
  issuer: 'https://id.example',
  client_id: 'moye',
  client_secret: 'secret',
};
const read = (providers: unknown, SSO_ONLY: 'on' | 'off' = 'off') =>
  ssoOf('/nowhere', { SSO_ONLY, SSO_JSON: JSON.stringify({ providers }) });

test('providers are read from SSO_JSON, else from sso.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'moye-sso-'));
  try {
    expect(ssoOf(folder, { SSO_ONLY: 'off' })).toEqual({ providers: [], isOnly: false });
    writeFileSync(join(folder, 'sso.json'), `\uFEFF${JSON.stringify({ providers: [OIDC] })}`);
    const { providers } = ssoOf(folder, { SSO_ONLY: 'on' });
    expect(providers).toMatchObject([{ ...OIDC, scopes: 'openid profile email', trust: [], domains: [] }]);
    expect(ssoOf(folder, { SSO_ONLY: 'off', SSO_JSON: '{"providers":[]}' }).providers).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['an issuer without https', [{ ...OIDC, issuer: 'http://id.example' }], 'issuer'],
  [
    'an issuer that only begins like this machine',
    [{ ...OIDC, issuer: 'http://127.0.0.1.evil.example' }],
    'issuer',
  ],
  [
    'the address of a discovery document',
    [{ ...OIDC, issuer: `${OIDC.issuer}/.well-known/openid-configuration` }],
    'issuer',
  ],
  ['an id that is no part of an address', [{ ...OIDC, id: 'a/b' }], 'id'],
  ['the same id twice', [OIDC, OIDC], 'different ids'],
  ['an unknown kind', [{ ...OIDC, kind: 'saml' }], 'kind'],
  ['an unknown field', [{ ...OIDC, sercet: 'x' }], 'sercet'],
  ['an unknown role', [{ ...OIDC, roles: { admins: 'root' } }], 'roles'],
  [
    'groups of a provider without groups',
    [{ id: 'github', kind: 'github', client_id: 'a', client_secret: 'b', groups: ['c'] }],
    'groups',
  ],
  [
    'trustsEmail of a provider that says which addresses are verified',
    [{ id: 'github', kind: 'github', client_id: 'a', client_secret: 'b', trustsEmail: true }],
    'trustsEmail',
  ],
])('%s stops the start', (_, providers, named) => {
  expect(() => read(providers)).toThrow(named);
});

test('SSO_ONLY needs a provider', () => {
  expect(() => read([], 'on')).toThrow('SSO_ONLY needs a provider');
  expect(read([{ ...OIDC, issuer: 'http://127.0.0.1:8080/realm' }], 'on').isOnly).toBe(true);
});
