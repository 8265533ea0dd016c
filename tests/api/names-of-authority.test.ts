import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isReserved } from '../../src/lib/server/users/reserved-names.ts';
import { HOUR_S } from '../../src/lib/contract/rules/units.ts';
import { INNOCENT, RESERVED } from '../reserved-names.ts';
import { done, PASSWORD, type Person, type TestServer } from './server.ts';
import { openSso, type Browser, type SsoStage } from './sso-stage.ts';

let stage: SsoStage;
let server: TestServer;
let author: Person;
let newcomer: Browser;
beforeAll(async () => {
  stage = await openSso({}, { SITE_TITLE: '墨页' });
  server = stage.server;
  author = await server.join('wangwei');
  newcomer = await stage.enter({ sub: 'newcomer', preferred_username: '站長' });
});
afterAll(() => stage?.close());

const signUp = (username: string, fields = {}) =>
  server.post('/api/signup', { username, password: PASSWORD, repassword: PASSWORD, ...fields });
const rename = (username: string, { token }: Person = author) =>
  server.post('/api/user/username', { username, password: PASSWORD }, token);
const display = (display_name: string, { token }: Person = author) =>
  server.post('/api/user/profile', { display_name, website: '', profile_links: '' }, token);

/** Calls that give a name; each returns the code of the refusal, or undefined. */
const writers: [string, (name: string) => Promise<string | null | undefined>][] = [
  ['sign-up', async (name) => (await signUp(name)).error],
  ['a new username', async (name) => (await rename(name)).error],
  ['a display name', async (name) => (await display(name)).error],
  [
    'the name chosen after a provider',
    async (name) => {
      const { path } = await newcomer.submit('/api/signup/oauth?page=1', { username: name });
      return new URL(path, 'http://site.test').searchParams.get('refused');
    },
  ],
];
/** Refusals of signs that the field does not allow. */
const REFUSED = ['USERNAME_RESERVED', 'FIELD_INVALID'];

describe.each(writers)('%s', (_, write) => {
  test.each(RESERVED)('refuses names of authority %s', async (_form, names) => {
    const refusals = await Promise.all(names.map(write));
    expect(names.filter((_name, at) => !REFUSED.includes(refusals[at] ?? ''))).toEqual([]);
  });
});

test('a name that a provider proposes is refused like a chosen one', async () => {
  for (const preferred_username of ['站長助理', '墨页官方', '官方客服', '系统通知']) {
    const { username, landing } = await stage.enter({ sub: preferred_username, preferred_username });
    expect([username, landing.path]).toEqual([null, expect.stringContaining('refused=USERNAME_RESERVED')]);
  }
});

test('an invitation does not help', async () => {
  const { code } = await server.app.services.invitations.add({ uses: 1, days: 1, note: '' }, null);
  expect((await signUp('官方客服', { invite: code })).error).toBe('USERNAME_RESERVED');
});

test('imports give another name', async () => {
  const own = { title: '墨页', reserved: [] };
  for (const [, names] of RESERVED)
    for (const name of names) {
      const given = await server.app.services.users.foreseeName(name);
      expect([name, given, isReserved(given, own)]).toEqual([name, expect.any(String), false]);
    }
});

test('the operator may take a name of authority on the command line, once', async () => {
  const { accounts } = server.app.services;
  await accounts.add({ username: '站長', password: PASSWORD, bio: '' });
  await expect(accounts.add({ username: '站长', password: PASSWORD, bio: '' })).rejects.toMatchObject({
    code: 'USERNAME_TAKEN',
  });
  expect(await server.app.services.users.find('站長')).not.toBeNull();
});

test('innocent names stay possible', async () => {
  const valid = INNOCENT.filter((name) => /^[\p{L}\p{M}\p{N}_-]{2,}$/u.test(name));
  const refused: string[] = [];
  for (const name of new Set(valid)) {
    const { error } = await signUp(name);
    // 系統之美 is 系统之美.
    if (error !== undefined && name !== '系統之美') refused.push(name);
  }
  expect(refused).toEqual([]);
  const person = await server.join('xiaowang');
  done(await display('系统之美 · 读书笔记', person));
});

describe('names of one account and another', () => {
  let count = 0;
  /** Joins as `names[0]` with a number and returns the other forms with that number. */
  const joinAs = async (name: string, other: string) => {
    const person = await server.join(`${name}${++count}`);
    return { person, other: `${other}${count}` };
  };

  test.each([
    ['陳曉', '陈晓'],
    ['陈晓', '陳曉'],
    ['後來', '后来'],
    ['长安', '長安'],
  ])('are the same in both Chinese scripts: %s and %s', async (name, form) => {
    const { other } = await joinAs(name, form);
    for (const answer of [await signUp(other), await rename(other), await display(other)])
      expect(answer.error).toBe('USERNAME_TAKEN');
    expect(await server.app.services.users.foreseeName(other)).not.toBe(other);
  });

  test('are compared with former usernames when they are shown', async () => {
    const { person } = await joinAs('chuzhou', '');
    done(await rename(`zuiweng${count}`, person));
    for (const name of [person.username, `${person.username} ✓`, person.username.replace('o', 'о')])
      expect((await display(name)).error).toBe('USERNAME_TAKEN');
    const again = done(await server.post('/api/signin', { username: `zuiweng${count}`, password: PASSWORD }));
    done(await display(person.username, { ...person, ...again }));
  });

  test('are compared with those of closed accounts when they are shown', async () => {
    const { person } = await joinAs('guiqulai', '');
    done(await server.post('/api/user/close', { password: PASSWORD, contents: 'remove' }, person.token));
    expect((await display(person.username)).error).toBe('USERNAME_TAKEN');
  });

  test('a username is compared with the display names of others', async () => {
    const { person } = await joinAs('mojie', '');
    done(await display(`摩詰 居士${count}`, person));
    for (const name of [`摩诘居士${count}`, `摩詰居士${count}`]) {
      for (const answer of [await signUp(name), await rename(name)])
        expect([answer.error, answer.data]).toEqual(['USERNAME_TAKEN', expect.stringContaining('显示名')]);
      await expect(
        server.app.services.accounts.add({ username: name, password: PASSWORD, bio: '' }),
      ).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
      expect(await server.app.services.users.foreseeName(name)).not.toBe(name);
    }
    done(await rename(`摩诘居士${count}`, person));
    const { display_name } = done(await server.post('/api/user/detail', { username: `摩诘居士${count}` }));
    expect(display_name).toBe(`摩詰 居士${count}`);
  });

  test('a display name that is given up is free', async () => {
    const { person } = await joinAs('pojie', '');
    done(await display(`东坡${count}`, person));
    server.pass(HOUR_S);
    done(await display('', person));
    expect(done(await signUp(`东坡${count}`))).toBeTruthy();
  });
});

test('the title that the operator gives the site is reserved from then on', async () => {
  const opened = await openSso();
  try {
    const { post, join, app } = opened.server;
    const sign = (username: string) =>
      post('/api/signup', { username, password: PASSWORD, repassword: PASSWORD });
    await join('wangwei');
    expect((await sign('爱辋川')).error).toBeUndefined();
    const { _id: id } = done(await post('/api/user/detail', { username: 'wangwei' }));
    await app.services.site.change({ title: '輞川集' }, { id });
    for (const name of ['辋川集', '輞川集助手', '我爱辋川集'])
      expect((await sign(name)).error).toBe('USERNAME_RESERVED');
    expect(await app.services.users.foreseeName('辋川集编者')).toMatch(/^用户/);
    done(await sign('也爱辋川'));
    expect((await post('/api/signin', { username: '爱辋川', password: PASSWORD })).error).toBeUndefined();
  } finally {
    await opened.close();
  }
});

test('a name of 20 characters with long look-alikes is judged', async () => {
  for (const sign of ['㎤', 'ﷺ', '長', '卟', '𝐦']) {
    const { error } = await signUp(sign.repeat(20));
    expect([sign, error === undefined || REFUSED.includes(error)]).toEqual([sign, true]);
  }
});
