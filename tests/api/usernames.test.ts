import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { feedUrl, userActivityUrl, userArchiveUrl, userUrl } from '../../src/lib/shared/urls.ts';
import { createToken, openEditor } from './editor.ts';
import { done, openServer, PASSWORD, type Person, type TestServer } from './server.ts';

const MONTH_S = 30 * 86_400;

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

let count = 0;
let author: Person;
let next: string;
beforeEach(async () => {
  author = await server.join(`chuzhou${++count}`);
  next = `zuiweng${count}`;
});

const rename = (username: string, by: Person = author, proof: Record<string, string> = {}) =>
  server.post('/api/user/username', { username, password: PASSWORD, ...proof }, by.token);
const signIn = async (username: string): Promise<Person> =>
  done(await server.post('/api/signin', { username, password: PASSWORD }));
const nameOf = async (username: string): Promise<string> =>
  done(await server.post('/api/user/detail', { username })).username;
const page = async (path: string) => (await server.send(path)).text;
const signup = (username: string) =>
  server.post('/api/signup', { username, password: PASSWORD, repassword: PASSWORD });

describe('a changed username', () => {
  test('is shown at once in every page, feed and answer, and the former addresses redirect', async () => {
    const id = await server.write(author, { title: `琅琊${count}` });
    await server.comment(author, id, { content: '自注' });
    const feeds = (['rss', 'atom', 'json'] as const).map(
      (format) => (name: string) => feedUrl({ kind: 'user', name }, format),
    );
    const pages = [userUrl, userActivityUrl, userArchiveUrl, ...feeds];
    const entries = [];
    // Fills the page cache.
    for (const url of pages) entries.push(await page(url(author.username)));
    for (const path of ['/home', `/detail/${id}`]) expect(await page(path)).toContain(author.username);

    expect((await rename(next)).data).toBe('用户名已修改');

    for (const path of ['/home', `/detail/${id}`]) {
      const html = await page(path);
      expect(html, path).toContain(next);
      expect(html, path).not.toContain(author.username);
    }
    for (const [at, url] of pages.entries()) {
      const { status, headers } = await server.send(url(author.username));
      expect([status, headers.get('location')]).toEqual([301, url(next)]);
      // The author may return to the name.
      expect(headers.get('cache-control')).toBe('no-cache');
      const text = await page(url(next));
      expect(text, url(next)).toContain(next);
      // Feed readers know entries by their ids.
      const ids = (feed = '') => feed.match(/<guid[^>]*>[^<]*|<id>[^<]*\/detail\/[^<]*|"id":"[^"]*"/g);
      expect(ids(text)).toEqual(ids(entries[at]));
    }
    const { headers } = await server.send(userUrl(author.username, 3));
    expect(headers.get('location')).toBe(userUrl(next, 3));

    expect(await nameOf(author.username)).toBe(next);
    const of = { type: 'create_user', content: author.username };
    expect(done(await server.post('/api/page/pagelist', of)).result).toMatchObject([{ create_user: next }]);
    const [comment] = done(await server.post('/api/comment/getpagecommentlist', { page_id: id }));
    expect(comment.create_user).toBe(next);
    const found = await server.post('/api/page/searchpage', { keywords: `琅琊${count}`, author: next });
    expect(done(found).total).toBe(1);
  });

  test('keeps the sign-in; the former name signs nobody in', async () => {
    done(await rename(next));
    expect(done(await server.post('/api/signin/getUserInfo', { username: '' }, author.token)).username).toBe(
      next,
    );
    const headers = { Authorization: `Beare ${author.refresh_token}` };
    done(await server.send('/api/signin/refreshToken', { headers }));
    await expect(signIn(author.username)).rejects.toThrow('SIGNIN_FAILED');
    await signIn(next);
  });

  test('leaves access tokens valid, also for an editor with the former name', async () => {
    const token = await createToken(server, author);
    done(await rename(next));
    const editor = openEditor(server.url, { username: author.username, token });
    await editor.act('blogger.getUsersBlogs', 'key');
    const other = await server.join(`others${count}`);
    const foreign = openEditor(server.url, { username: other.username, token });
    expect((await foreign.fault('blogger.getUsersBlogs', 'key')).faultString).toContain('不属于这个用户名');
  });

  test('needs the password, and the code where two-step verification is on', async () => {
    expect((await rename(next, author, { password: 'wrong password' })).error).toBe('PASSWORD_WRONG');
    const { ticket, secret } = done(
      await server.post('/api/user/totp/begin', { password: PASSWORD }, author.token),
    );
    const totp = new TOTP({ secret });
    const begun = { ticket, code: totp.generate() };
    done(await server.post('/api/user/totp/confirm', begun, author.token));
    expect((await rename(next)).error).toBe('CODE_WRONG');
    expect(await nameOf(author.username)).toBe(author.username);
    const code = totp.generate({ timestamp: Date.now() + 30_000 });
    // A refused name does not consume the code.
    expect((await rename('站长', author, { code })).error).toBe('USERNAME_RESERVED');
    done(await rename(next, author, { code }));
  });

  test('is refused to an access token', async () => {
    const token = await createToken(server, author);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ username: next, password: PASSWORD });
    const answer = await server.send('/api/user/username', { method: 'POST', headers, body });
    expect(answer.code).toBe('ERROR');
    expect(await nameOf(author.username)).toBe(author.username);
  });

  test('changes once in 30 days; the same name again changes nothing', async () => {
    const [one, two] = await Promise.all([rename(next), rename(next)]);
    expect([done(one), done(two)]).toEqual(['用户名已修改', '用户名已修改']);
    const again = await rename(`${next}b`);
    expect([again.status, again.error, again.field]).toEqual([429, 'TOO_MANY_REQUESTS', 'username']);
    expect(again.data).toContain('30 天只能改一次，请 30 天后再改');
    server.pass(MONTH_S);
    done(await rename(`${next}b`, await signIn(next)));
    for (const name of [author.username, next]) expect(await nameOf(name)).toBe(`${next}b`);
  });

  test('may differ only in case; the display name that equals it goes', async () => {
    const profile = { display_name: next.toUpperCase(), website: '', profile_links: '' };
    done(await server.post('/api/user/profile', profile, author.token));
    done(await rename(next));
    expect(done(await server.post('/api/user/detail', { username: next }))).not.toHaveProperty(
      'display_name',
    );
    server.pass(MONTH_S);
    done(await rename(next.toUpperCase(), await signIn(next)));
    expect((await server.send(userUrl(next))).status).toBe(200);
    expect(await nameOf(next)).toBe(next.toUpperCase());
  });
});

describe('a name that nobody else can have', () => {
  test.each([
    ['an existing one', (name: string) => name, 'USERNAME_TAKEN'],
    ['one that looks like it', (name: string) => name.replace('a', 'а'), 'USERNAME_TAKEN'],
    ['one of staff', () => '管理员', 'USERNAME_RESERVED'],
    ['an invalid one', () => 'a b', 'FIELD_INVALID'],
  ])('is refused as at sign-up: %s', async (_, disguise, error) => {
    const other = await server.join(`yangxiu${count}`);
    const answers = [await rename(disguise(other.username)), await signup(disguise(other.username))];
    for (const answer of answers) expect([answer.error, answer.field]).toEqual([error, 'username']);
    expect(await nameOf(author.username)).toBe(author.username);
  });

  test('is a former one, for good, until its owner returns to it', async () => {
    done(await rename(next));
    server.pass(12 * MONTH_S);
    await server.app.services.users.purgeReservations();
    const other = await server.join(`qiaofu${count}`);
    for (const name of [author.username, author.username.replace('o', 'о')]) {
      expect((await rename(name, other)).error).toBe('USERNAME_RESERVED');
      expect((await signup(name)).error).toBe('USERNAME_RESERVED');
    }
    const account = { username: author.username, password: PASSWORD, bio: '' };
    await expect(server.app.services.accounts.add(account)).rejects.toThrow('该用户名已被使用');
    done(await rename(author.username, await signIn(next)));
    expect((await server.send(userUrl(author.username))).status).toBe(200);
    expect((await server.send(userUrl(next))).headers.get('location')).toBe(userUrl(author.username));
  });

  test('is one that staff has removed, also for its owner', async () => {
    const operator = await server.join(`taishou${count}`);
    await server.app.services.roles.set(operator.username, 'operator', null);
    const read = await server.post('/api/staff/profile', { username: author.username }, operator.token);
    const { version } = done(read);
    const removal = { kind: 'user', id: author.username, field: 'username', reason: 'abuse', version };
    done(await server.post('/api/staff/profile/remove', removal, operator.token));
    expect((await rename(author.username)).error).toBe('USERNAME_RESERVED');
    done(await rename(next));
    expect((await server.send(userUrl(author.username))).headers.get('location')).toBe('/404');
  });

  test('is taken by one of two who want it at the same moment', async () => {
    const other = await server.join(`binke${count}`);
    const answers = await Promise.all([rename(next), rename(next, other), signup(next)]);
    expect(answers.map(({ error }) => error ?? 'OK').sort()).toEqual([
      'OK',
      'USERNAME_TAKEN',
      'USERNAME_TAKEN',
    ]);
  });

  test('is reserved for 180 days after its account was closed, and then free', async () => {
    done(await rename(next));
    done(await server.post('/api/user/close', { password: PASSWORD, contents: 'keep' }, author.token));
    for (const name of [author.username, next]) {
      expect((await server.send(userUrl(name))).headers.get('location')).toBe('/404');
      expect((await signup(name)).error).toBe('USERNAME_RESERVED');
    }
    const rows = await server.rows(`select name from former_names where name = '${author.username}'`);
    expect(rows).toEqual([]);
    server.pass(181 * 86_400);
    for (const name of [author.username, next]) done(await signup(name));
  });
});
