import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendExactly } from './wire.ts';
import {
  done,
  openServer,
  PASSWORD,
  type Answer,
  type Fields,
  type Person,
  type TestServer,
} from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

let people = 0;
const join = () => server.join(`执笔${people++}`);
const usual = { name: '笔记同步', scopes: ['articles:read', 'articles:write'], days: 30, password: PASSWORD };
const create = (person: Person, fields: Fields = {}) =>
  server.post('/api/user/tokens/create', { ...usual, ...fields }, person.token);
const make = async (person: Person, fields: Fields = {}): Promise<string> =>
  done(await create(person, fields)).token;
const list = async (person: Person) => done(await server.post('/api/user/tokens', {}, person.token)).tokens;
const ask = (authorization: string, path = '/api/page/limitpagelist'): Promise<Answer> =>
  server.send(path, { method: 'POST', headers: { Authorization: authorization } });
const withToken = (token: string) => ask(`Bearer ${token}`);
const outcome = ({ status, error }: Answer) => [status, error];
const INVALID = [401, 'ACCESS_TOKEN_INVALID'];

describe('an access token', () => {
  test('writes and reads an article, from a program without cookie, origin or form', async () => {
    const person = await join();
    const token = await make(person);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({
      title: '山居',
      content: '空山',
      tags: ['诗'],
      status: 'draft',
      secret: false,
    });
    const { id } = done(await server.send('/api/page/new', { method: 'POST', headers, body }));
    const source = await server.send('/api/page/editdetail', {
      method: 'POST',
      headers: { ...headers, Origin: 'https://elsewhere.example', Cookie: 'token=eyJ.x.y' },
      body: JSON.stringify({ id }),
    });
    expect(done(source)).toMatchObject({ content: '空山', create_user: person.username });
  });

  test('is shown once; the list has its name, scopes, days and last use', async () => {
    const person = await join();
    expect(await list(person)).toEqual([]);
    const token = await make(person, { scopes: ['articles:write', 'articles:read'] });
    const [unused] = await list(person);
    expect(unused).toMatchObject({
      name: '笔记同步',
      scopes: ['articles:read', 'articles:write'],
      last_used: null,
      last_address: '',
    });
    expect(Date.parse(unused.expire_time) - Date.parse(unused.create_time)).toBe(30 * 86_400_000);
    done(await withToken(token));
    const [used] = await list(person);
    expect([typeof used.last_used, used.last_address]).toEqual(['string', '127.0.0.1']);
    expect(JSON.stringify(await list(person))).not.toContain('moye_pat_');
    const stored = JSON.stringify(await server.rows('select * from access_tokens'));
    expect(stored).not.toContain(token.slice('moye_pat_'.length));
    expect(stored).toMatch(/"hash":"[0-9a-f]{64}"/);
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '长'.repeat(41) }, 'name'],
    [{ name: 'a\u200bb' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['articles:read', 'account'] }, 'scopes'],
    [{ scopes: ['moderation'] }, 'scopes'],
    [{ days: 0 }, 'days'],
    [{ days: 366 }, 'days'],
    [{ days: 1.5 }, 'days'],
    [{ days: 'never' }, 'days'],
    [{ password: 'wrong password' }, 'password'],
  ])('is not created with %j', async (fields, field) => {
    const person = await join();
    const answer = await create(person, fields);
    expect([answer.code, answer.field]).toEqual(['ERROR', field]);
    expect(await list(person)).toEqual([]);
  });

  test('needs a code where two-step verification is on, and counts wrong passwords', async () => {
    const person = await join();
    const begun = await server.post('/api/user/totp/begin', { password: PASSWORD }, person.token);
    const { ticket, secret } = done(begun);
    const totp = new TOTP({ secret });
    done(await server.post('/api/user/totp/confirm', { ticket, code: totp.generate() }, person.token));
    expect((await create(person)).field).toBe('code');
    const code = totp.generate({ timestamp: Date.now() + 30_000 });
    expect(await make(person, { code })).toMatch(/^moye_pat_/);
    expect((await create(person, { code })).error).toBe('CODE_WRONG');
  });

  test('is one of at most 50', async () => {
    const person = await join();
    const { db } = server.app;
    const { id } = await db.read
      .selectFrom('users')
      .select('id')
      .where('username', '=', person.username)
      .executeTakeFirstOrThrow();
    const row = { user_id: id, name: '甲', scopes: '[]', create_time: 1, expire_time: 9e12, last_used: null };
    await db.write(async (trx) => {
      for (let at = 0; at < 49; at++) {
        const key = `${id}${at}`;
        await trx
          .insertInto('access_tokens')
          .values({ ...row, id: key, hash: key, last_address: '' })
          .execute();
      }
    });
    await make(person);
    expect((await create(person)).error).toBe('ACCESS_TOKENS_TOO_MANY');
  });
});

describe('is refused, clearly and with no effect,', () => {
  test('with a wrong checksum', async () => {
    const token = await make(await join());
    const answer = await withToken(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`);
    expect([...outcome(answer), answer.data]).toEqual([...INVALID, '访问令牌不完整，请重新复制']);
  });

  test('on public calls too, where any other useless header is a visitor', async () => {
    const token = `${(await make(await join())).slice(0, -1)}!`;
    expect(outcome(await ask(`Bearer ${token}`, '/api/page/pagelist'))).toEqual(INVALID);
    expect(outcome(await ask('Bearer undefined', '/api/page/pagelist'))).toEqual([200, undefined]);
    expect(outcome(await ask('Bearer ghp_whatever', '/api/page/pagelist'))).toEqual([200, undefined]);
  });

  test.each([
    ['several in one header', (token: string) => `Bearer ${token}, Bearer ${token}`],
    ['after a session token', (token: string) => `Bearer eyJ.eyJ.sig, Bearer ${token}`],
    ['Basic', (token: string) => `Basic ${token}`],
    ['a very long one', (token: string) => `Bearer ${token}${'a'.repeat(8_000)}`],
    ['quoted', (token: string) => `Bearer "${token}"`],
    ['without its beginning', (token: string) => `Bearer x${token}`],
  ])('%s', async (_, header) => {
    const person = await join();
    const token = await make(person);
    expect(outcome(await ask(header(token)))).toEqual(INVALID);
    expect((await list(person))[0].last_used).toBeNull();
  });

  test('in two header lines', async () => {
    const token = await make(await join());
    const line = `Authorization: Bearer ${token}\r\n`;
    const { status } = await sendExactly(
      server.url,
      `POST /api/page/limitpagelist HTTP/1.1\r\nHost: a\r\n${line}${line}Content-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(401);
  });

  test.each(['bearer', 'BEARER', 'Beare', 'Bearer  '])('but not with the scheme %j', async (scheme) => {
    const token = await make(await join());
    expect(outcome(await ask(`${scheme} ${token}`))).toEqual([200, undefined]);
  });

  test.each(['access_token', 'token', 'x'])('in the query parameter %s, of any call', async (name) => {
    const token = await make(await join());
    for (const path of ['/api/page/limitpagelist', '/api/site', '/api/nothing']) {
      const answer = await server.send(`${path}?${name}=${token}`, { method: 'POST' });
      expect(outcome(answer)).toEqual([400, 'ACCESS_TOKEN_IN_URL']);
    }
    const escaped = token.replaceAll('_', '%5F');
    expect((await server.get(`/api/site?${name}=${escaped}`)).error).toBe('ACCESS_TOKEN_IN_URL');
  });

  test('after it was revoked, by its owner alone', async () => {
    const [person, stranger] = [await join(), await join()];
    const token = await make(person);
    const [{ id }] = await list(person);
    const revoke = (by: Person) => server.post('/api/user/tokens/revoke', { id }, by.token);
    done(await revoke(stranger));
    done(await withToken(token));
    done(await revoke(person));
    done(await revoke(person));
    expect(outcome(await withToken(token))).toEqual(INVALID);
    expect(await list(person)).toEqual([]);
  });

  test('while its account is banned, from the next request', async () => {
    const person = await join();
    const token = await make(person);
    const { bans } = server.app.services;
    await bans.ban({ username: person.username, until: null, reason: '广告', hides: false }, null);
    expect(outcome(await withToken(token))).toEqual(INVALID);
    expect(outcome(await ask(`Bearer ${token}`, '/api/page/pagelist'))).toEqual(INVALID);
    await bans.unban(person.username, null);
    done(await withToken(token));
  });

  test('after a demotion, for calls of staff', async () => {
    const person = await join();
    const { roles } = server.app.services;
    await roles.set(person.username, 'editor', null);
    const token = await make(person, { scopes: ['moderation', 'articles:read'] });
    const held = () => ask(`Bearer ${token}`, '/api/staff/held');
    expect((await held()).error).toBeUndefined();
    await roles.set(person.username, 'author', null);
    expect((await held()).error).toBe('NOT_ALLOWED');
    done(await withToken(token));
  });

  test('while staff must first set up two-step verification', async () => {
    const person = await join();
    const { roles, options } = server.app.services;
    await roles.set(person.username, 'editor', null);
    const token = await make(person, { scopes: ['moderation'] });
    await options.change({ secondFactorForStaff: true }, null);
    expect((await ask(`Bearer ${token}`, '/api/staff/held')).error).toBe('SECOND_FACTOR_MISSING');
    await options.change({ secondFactorForStaff: false }, null);
  });

  test('after a new password, unless its owner keeps it', async () => {
    const person = await join();
    const token = await make(person);
    const next = `${PASSWORD}二`;
    const change = (password: string, to: string, more: Fields = {}) =>
      server.post(
        '/api/user/password',
        { password, new_password: to, repassword: to, ...more },
        person.token,
      );
    done(await change(PASSWORD, next, { keep_tokens: true }));
    done(await withToken(token));
    done(await change(next, PASSWORD));
    expect(outcome(await withToken(token))).toEqual(INVALID);
    const another = await make(person);
    await server.app.services.accounts.setPassword(person.username, next);
    expect(outcome(await withToken(another))).toEqual(INVALID);
  });

  test('after its account was closed', async () => {
    const person = await join();
    const token = await make(person);
    done(await server.post('/api/user/close', { password: PASSWORD, contents: 'keep' }, person.token));
    expect(outcome(await withToken(token))).toEqual(INVALID);
  });
});

test('quotas count per account, whether a token or a browser writes', async () => {
  const limited = await openServer({ RATE_LIMIT: 'on', QUOTA_ARTICLES: '2' });
  try {
    const person = await limited.join('两篇');
    const { token } = done(await limited.post('/api/user/tokens/create', usual, person.token));
    await limited.write(person);
    await limited.write({ ...person, token });
    const article = { title: '三', content: '三', tags: ['诗'], status: 'normal', secret: 'false' };
    for (const by of [token, person.token])
      expect((await limited.post('/api/page/new', article, by)).error).toBe('QUOTA_REACHED');
  } finally {
    await limited.close();
  }
});

// Last: it moves the clock.
test('a token expires, stays listed for 30 days, and is then removed', async () => {
  const person = await join();
  const token = await make(person, { days: 1 });
  server.pass(86_400);
  const answer = await withToken(token);
  expect([...outcome(answer), answer.data]).toEqual([
    ...INVALID,
    '访问令牌已过期，请到「账号设置」里新建一个',
  ]);
  const { accessTokens, users } = server.app.services;
  const owner = { id: (await users.find(person.username))?._id ?? '' };
  await accessTokens.purgeExpired();
  expect(await accessTokens.list(owner)).toHaveLength(1);
  server.pass(30 * 86_400);
  await accessTokens.purgeExpired();
  expect(await accessTokens.list(owner)).toEqual([]);
});
