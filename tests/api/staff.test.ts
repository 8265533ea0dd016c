import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import type { Call } from '../../src/lib/contract/calls/call.ts';
import { done, openServer, PASSWORD, type Person, type TestServer, type Untyped } from './server.ts';

let server: TestServer;
let operator: Person;
let editor: Person;
let author: Person;
beforeAll(async () => {
  server = await openServer();
  [operator, editor, author] = [
    await server.join('老王'),
    await server.join('老李'),
    await server.join('作者'),
  ];
  await server.app.services.roles.set('老王', 'operator', null);
  await server.app.services.roles.set('老李', 'editor', null);
});
afterAll(() => server?.close());

const staffCalls = Object.values<Call>(calls).filter(({ permission }) => permission !== undefined);

describe('calls for staff', () => {
  test.each(staffCalls.map(({ path }) => [path]))('%s is refused to authors and visitors', async (path) => {
    const refused = await server.post(path, {}, author.token);
    expect([refused.status, refused.error]).toEqual([200, 'NOT_ALLOWED']);
    expect((await server.post(path, {})).status).toBe(402);
  });

  test('an editor sees the console and changes no option; an operator does', async () => {
    expect(done(await server.post('/api/staff/overview', {}, editor.token)).total.users).toBe(3);
    const fields = { reports: 'false' };
    const refused = await server.post('/api/staff/options/change', fields, editor.token);
    expect(refused.error).toBe('NOT_ALLOWED');
    expect(done(await server.post('/api/staff/options', {}, operator.token)).reports).toBe(true);
    expect(done(await server.post('/api/staff/options/change', fields, operator.token)).reports).toBe(false);
    const wrong = await server.post('/api/staff/options/change', { reports: 'perhaps' }, operator.token);
    expect([wrong.error, wrong.field]).toEqual(['FIELD_INVALID', 'reports']);
    expect(done(await server.post('/api/staff/options', {}, operator.token)).reports).toBe(false);
  });

  test('a demoted user is refused from the next request', async () => {
    const helper = await server.join('帮手');
    await server.app.services.roles.set('帮手', 'editor', null);
    done(await server.post('/api/staff/overview', {}, helper.token));
    await server.app.services.roles.set('帮手', 'author', null);
    expect((await server.post('/api/staff/overview', {}, helper.token)).error).toBe('NOT_ALLOWED');
  });

  test('appointing or dismissing an operator needs the password, other changes of a role do not', async () => {
    const helper = await server.join('候选');
    const role = (name: string, fields = {}) =>
      server.post('/api/staff/users/role', { username: '候选', role: name, ...fields }, operator.token);
    const roleOf = async () =>
      done(await server.post('/api/signin/getUserInfo', { username: '' }, helper.token)).role ?? 'author';
    done(await role('editor'));
    for (const proof of [{}, { password: '' }, { password: 'wrong password' }]) {
      const { error, field } = await role('operator', proof);
      expect([['PASSWORD_WRONG', 'FIELD_INVALID'].includes(error ?? ''), field]).toEqual([true, 'password']);
      expect(await roleOf()).toBe('editor');
    }
    done(await role('operator', { password: PASSWORD }));
    expect(await roleOf()).toBe('operator');
    done(await role('operator'));
    for (const lower of ['editor', 'author']) expect((await role(lower)).error).toBe('PASSWORD_WRONG');
    expect(await roleOf()).toBe('operator');
    done(await role('author', { password: PASSWORD }));
    expect(await roleOf()).toBe('author');
    const unknown = { username: '没有', role: 'operator', password: 'wrong password' };
    expect((await server.post('/api/staff/users/role', unknown, operator.token)).error).toBe(
      'USER_NOT_FOUND',
    );
  });

  test('an operator pins articles to the front page, which the log names', async () => {
    const [first, second] = [await server.write(author, { title: '首页一' }), await server.write(author)];
    const change = (action: string, id: string, by = operator) =>
      server.post(`/api/staff/articles/${action}`, { id }, by.token);
    const pinned = async () =>
      done(await server.post('/api/page/worth')).pinned.map(({ _id }: Untyped) => _id);
    const listed = async () =>
      done(await server.post('/api/staff/articles', { keywords: '首页一' }, operator.token)).result[0]
        .is_pinned;
    expect([await pinned(), await listed()]).toEqual([[], false]);
    expect((await change('pin', first, editor)).error).toBe('NOT_ALLOWED');
    for (const id of [second, first]) done(await change('pin', id));
    expect([await pinned(), await listed()]).toEqual([[second, first], true]);
    expect((await change('pin', 'f'.repeat(24))).error).toBe('ARTICLE_NOT_FOUND');
    for (const id of [second, first]) done(await change('unpin', id));
    expect((await change('unpin', first)).error).toBe('PICK_NOT_FOUND');
    expect([await pinned(), await listed()]).toEqual([[], false]);
    const { result } = done(await server.post('/api/staff/audit', {}, operator.token));
    expect(result.slice(0, 4).map(({ action }: Untyped) => action)).toEqual([
      'article.unpin',
      'article.unpin',
      'article.pin',
      'article.pin',
    ]);
  });

  test('two-step verification is required of staff only by an operator who has it', async () => {
    const { error, data } = await server.post(
      '/api/staff/options/change',
      { secondFactorForStaff: 'true' },
      operator.token,
    );
    expect([error, data]).toEqual(['SECOND_FACTOR_MISSING', expect.stringContaining('「账号设置」')]);
    done(await server.post('/api/staff/options', {}, operator.token));
    done(await server.post('/api/staff/options/change', { secondFactorForStaff: 'false' }, operator.token));
  });

  test('a role is shown only to its user, and only above author', async () => {
    const info = async (username: string, token?: string) =>
      done(await server.post('/api/signin/getUserInfo', { username }, token));
    expect((await info('', editor.token)).role).toBe('editor');
    expect(await info('', author.token)).not.toHaveProperty('role');
    expect(await info('老李', author.token)).not.toHaveProperty('role');
    expect(await info('老李')).not.toHaveProperty('role');
  });
});

describe('pages of the console', () => {
  const open = (token?: string) =>
    server.send('/admin', token === undefined ? {} : { headers: { Cookie: `token=${token}` } });

  test('are shown to staff, not found for authors, and ask visitors to sign in', async () => {
    const page = await open(editor.token);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(page.text).toContain('你是站务');
    expect((await open(author.token)).headers.get('location')).toBe('/404');
    expect((await open()).headers.get('location')).toBe('/signin?redirect=%2Fadmin');
  });

  test('are linked from own articles for staff, not for authors', async () => {
    const list = async (token: string) =>
      (await server.send('/user/list', { headers: { Cookie: `token=${token}` } })).text;
    expect(await list(editor.token)).toContain('href="/admin"');
    expect(await list(author.token)).not.toContain('href="/admin"');
  });
});

test('a link sets up the first operator through its page', async () => {
  await using fresh = await disposable();
  const key = await fresh.server.app.services.roles.newLink();
  expect((await fresh.server.send('/setup')).status).toBe(200);
  const fields = { key, username: '站长', password: PASSWORD, repassword: PASSWORD };
  const wrong = await fresh.server.post('/api/setup', { ...fields, key: 'x' });
  expect([wrong.error, wrong.data]).toEqual(['SETUP_LINK_INVALID', expect.stringContaining('重新启动网站')]);
  const unlike = await fresh.server.post('/api/setup', { ...fields, repassword: '另一个密码啊啊' });
  expect([unlike.error, unlike.field]).toEqual(['FIELD_INVALID', 'repassword']);
  const unknown = await fresh.server.post('/api/setup', { ...fields, look: '没有' });
  expect([unknown.error, unknown.field]).toEqual(['FIELD_INVALID', 'look']);
  const { token } = done(await fresh.server.post('/api/setup', { ...fields, look: '画册' }));
  done(await fresh.server.post('/api/staff/options', {}, token));
  expect(done(await fresh.server.post('/api/staff/site', {}, token)).look).toMatchObject({
    name: '画册',
    list: 'cards',
  });
  const used = await fresh.server.post('/api/setup', { ...fields, username: '第二位' });
  expect([used.error, used.data]).toEqual(['SETUP_LINK_INVALID', expect.stringContaining('已经有站长了')]);
  expect(used.data).toContain('登录');
});

async function disposable() {
  const opened = await openServer();
  return { server: opened, [Symbol.asyncDispose]: () => opened.close() };
}
