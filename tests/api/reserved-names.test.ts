import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, PASSWORD, type Person, type TestServer } from './server.ts';
import { DAY_S } from '../../src/lib/contract/rules/units.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openServer({ SITE_TITLE: '墨页' });
});
afterAll(() => server?.close());

const account = (username: string) => ({ username, password: PASSWORD, repassword: PASSWORD });
const signUp = (username: string) => server.post('/api/signup', account(username));
const outcomeOf = async (username: string) => [username, (await signUp(username)).error ?? 'OK'];
const close = async (person: Person) =>
  done(await server.post('/api/user/close', { password: PASSWORD, contents: 'remove' }, person.token));

describe('a name that looks like the site or a closed account', () => {
  test.each(['墨頁', '墨_页', '-墨页-', '墨頁_', '管理員', '系統', '客服_', 'm0ye', 'ＭＯＹＥ'])(
    'is reserved: %s',
    async (name) => {
      expect(await outcomeOf(name)).toEqual([name, 'USERNAME_RESERVED']);
    },
  );

  test.each(['已注销-0a1b2c3d', '已注销', '已註銷-0a1b2c3d', '已注销_王维', '已_注销-1', '已注销的人'])(
    'is reserved as the name of closed accounts: %s',
    async (name) => {
      expect(await outcomeOf(name)).toEqual([name, 'USERNAME_RESERVED']);
    },
  );

  test('set by the operator is reserved in both Chinese scripts', async () => {
    await server.app.services.options.change({ reserved_names: ['書齋'] }, null);
    for (const name of ['书斋', '書齋', '书-斋'])
      expect(await outcomeOf(name)).toEqual([name, 'USERNAME_RESERVED']);
  });

  test.each(['一页墨香', '系统之美', '管理学笔记', '注销一下', '頁墨', '墨香'])(
    'is free: %s',
    async (name) => {
      expect(await outcomeOf(name)).toEqual([name, 'OK']);
    },
  );
});

describe('the name of a closed account', () => {
  test('is reserved for 180 days, look-alikes included, and stored only hashed', async () => {
    await close(await server.join('paypal'));
    for (const name of ['paypal', 'PayPal', 'paypaI', 'раураl'])
      expect(await outcomeOf(name)).toEqual([name, 'USERNAME_RESERVED']);
    expect(JSON.stringify(await server.rows('select * from former_names'))).not.toContain('paypal');
    server.pass(179 * DAY_S);
    expect(await outcomeOf('paypal')).toEqual(['paypal', 'USERNAME_RESERVED']);
    server.pass(2 * DAY_S);
    expect(await outcomeOf('paypal')).toEqual(['paypal', 'OK']);
  });

  test('may be used by the operator, and is reserved again when that account closes', async () => {
    await close(await server.join('辛弃疾'));
    const { username } = await server.app.services.accounts.add({
      username: '辛弃疾',
      password: PASSWORD,
      bio: '',
    });
    const token = done(await server.post('/api/signin', { username, password: PASSWORD })).token as string;
    await close({ username, token, refresh_token: '' });
    expect(await outcomeOf('辛弃疾')).toEqual(['辛弃疾', 'USERNAME_RESERVED']);
  });

  test('is given to no account of an imported site', async () => {
    await close(await server.join('李清照'));
    expect(await server.app.services.users.foreseeName('李清照')).toBe('李清照-2');
    expect(await server.app.services.users.foreseeName('已注销-12345678')).not.toMatch(/^已注销/);
  });
});
