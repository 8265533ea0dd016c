import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/lib/server/config/config.ts';
import { contradictionsIn } from '../../../src/lib/server/doctor/contradictions.ts';

const TOKEN_SECRET = 'a secret that is long enough to sign tokens with';
const look = (environment: Record<string, string>) =>
  contradictionsIn(readConfig({ TOKEN_SECRET, DATA_DIR: '/var/lib/moye', ...environment }));

describe('hosts of the local network that may receive webhooks', () => {
  const hostsOf = (WEBHOOK_PRIVATE_HOSTS: string) =>
    readConfig({ TOKEN_SECRET, DATA_DIR: '/var/lib/moye', WEBHOOK_PRIVATE_HOSTS }).webhookPrivateHosts;

  test('are listed with their ports', () => {
    expect(hostsOf('')).toEqual([]);
    expect(hostsOf('Bot.lan, 10.0.0.5:8080,[fd00::1]:9000')).toEqual([
      'bot.lan',
      '10.0.0.5:8080',
      '[fd00::1]:9000',
    ]);
  });

  test.each(['*', 'http://bot.lan', 'bot.lan/hook', 'bot.lan:80', 'a b'])(
    '%s is refused in one line',
    (text) => {
      expect(() => hostsOf(text)).toThrow(
        /^WEBHOOK_PRIVATE_HOSTS must be hosts such as bot\.lan,10\.0\.0\.5:8080/,
      );
    },
  );
});

/** Settings with one OpenID provider. */
const oidc = (fields: Record<string, unknown>) => ({
  SSO_JSON: JSON.stringify({
    providers: [
      {
        id: 'company',
        kind: 'oidc',
        label: '公司账号',
        issuer: 'https://id.example',
        client_id: 'moye',
        client_secret: 'secret',
        ...fields,
      },
    ],
  }),
});

describe('settings that contradict each other', () => {
  test.each([
    [{}],
    [{ SITE_URL: 'https://blog.example', TRUST_PROXY: '1' }],
    [{ SITE_URL: 'http://blog.example', HOST: '0.0.0.0' }],
    [{ SITE_URL: 'https://blog.example', TRUST_PROXY: '1', BACKUP_EVERY: '6h', BACKUP_TO: '/mnt/backup' }],
    [{ METRICS: 'public', RATE_LIMIT: 'off', PAGE_CACHE_MB: '0' }],
    [oidc({ domains: ['corp.example'], trustsEmail: true })],
    [oidc({ trust: ['email'], scopes: 'openid' })],
  ])('are not found in %j', (environment) => {
    expect(look(environment as Record<string, string>)).toEqual([]);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ HOST: '0.0.0.0' }, /读者打不开/],
    [{ HOST: '::' }, /读者打不开/],
    [{ HOST: '0.0.0.0', SITE_URL: 'http://localhost:4321' }, /读者打不开/],
    [{ SITE_URL: 'http://blog.example', TRUST_PROXY: '1' }, /SITE_URL 却是 http/],
    [{ SITE_URL: 'https://blog.example' }, /TRUST_PROXY 却是 0/],
    [{ SITE_URL: 'http://blog.example' }, /TRUST_PROXY 却是 0/],
    [{ SITE_URL: 'https://blog.example', TRUST_PROXY: '1', METRICS: 'public' }, /METRICS=public/],
    [{ SITE_URL: 'https://blog.example', TRUST_PROXY: '1', RATE_LIMIT: 'off' }, /RATE_LIMIT=off/],
    [{ SITE_URL: 'https://blog.example', TRUST_PROXY: '1', PAGE_CACHE_MB: '0' }, /PAGE_CACHE_MB=0/],
    [{ INDEXNOW_KEY: 'indexnow-key' }, /搜索引擎/],
    [{ BACKUP_EVERY: '6h', BACKUP_TO: '/var/lib/moye/backup' }, /BACKUP_TO 在 DATA_DIR 里/],
    [oidc({ domains: ['corp.example'], scopes: 'openid profile' }), /谁也登录不了/],
    [oidc({ trust: ['email'], trustsEmail: true }), /可以登录别人的账号/],
  ])('are named in %j', (environment, text) => {
    const found = look(environment);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(text);
  });
});
