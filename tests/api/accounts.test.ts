import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, PASSWORD, refused, type Person, type TestServer } from './server.ts';
import { TOKEN, user } from './shapes.ts';

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('Stranger');
});
afterAll(() => server?.close());

const signup = (username: string, rest: Record<string, string> = {}) =>
  server.post('/api/signup', { username, password: PASSWORD, repassword: PASSWORD, ...rest });

describe('signing up', () => {
  test('responds with two tokens and nothing else', async () => {
    const answer = await signup('孟浩然', { gender: 'm', bio: ' 春眠不觉晓 ' });
    expect(outcome(answer)).toEqual({
      status: 200,
      code: 'OK',
      data: { token: TOKEN, refresh_token: TOKEN },
    });
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['code', 'data']);
    const detail = done(await server.post('/api/user/detail', { username: '孟浩然' }));
    expect(detail).toEqual(user({ username: '孟浩然', gender: 'm', bio: '春眠不觉晓' }));
  });

  test.each([
    ['empty', { gender: '', bio: '' }],
    ['undefined as text', { gender: 'undefined', bio: 'undefined' }],
    ['null as text', { gender: 'null', bio: 'null' }],
  ])('optional fields may be %s', async (_, fields) => {
    const name = `可选${Object.values(fields)[0] ?? ''}`;
    done(await signup(name, fields));
    expect(done(await server.post('/api/user/detail', { username: name }))).toEqual(user({ username: name }));
  });

  test.each(['WANGWEI', 'ｗａｎｇｗｅｉ', 'wangwei', ' WangWei '])(
    '%j is the name of somebody else already',
    async (name) => {
      await signup('WangWei');
      const answer = await signup(name);
      expect(outcome(answer)).toEqual(refused('该用户名已被使用'));
      expect(JSON.parse(answer.text)).toMatchObject({ error: 'USERNAME_TAKEN', field: 'username' });
    },
  );

  test('20 concurrent sign-ups with one name create one account', async () => {
    const before = done(await server.post('/api/statistics', {}, author.token)).userNum;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => signup(index % 2 ? 'Parallel' : 'ｐarallel')),
    );
    expect(answers.filter(({ code }) => code === 'OK')).toHaveLength(1);
    const others = answers.filter(({ code }) => code !== 'OK').map(({ status, data }) => `${status} ${data}`);
    for (const other of others)
      expect(['200 该用户名已被使用', '503 服务暂时不可用，请稍后再试']).toContain(other);
    expect(done(await server.post('/api/statistics', {}, author.token)).userNum).toBe(before + 1);
  });
});

describe('signing in', () => {
  test('the name may differ in case or width', async () => {
    for (const username of ['Stranger', 'STRANGER', 'ｓｔｒａｎｇｅｒ', ' Stranger ']) {
      const data = done(await server.post('/api/signin', { username, password: PASSWORD }));
      expect(data).toEqual({ token: TOKEN, refresh_token: TOKEN });
    }
  });

  test('an unknown user and a wrong password get the same response', async () => {
    const wrong = await server.post('/api/signin', { username: '王维', password: 'not this one' });
    const unknown = await server.post('/api/signin', { username: '李白', password: PASSWORD });
    expect(outcome(wrong)).toEqual(refused('用户名或密码错误'));
    expect(unknown.text).toBe(wrong.text);
  });

  test.each([
    ['without a name', { password: PASSWORD }, '请填写用户名'],
    ['with an empty name', { username: ' ', password: PASSWORD }, '请填写用户名'],
    ['without a password', { username: '王维' }, '请填写密码'],
    ['with an empty password', { username: '王维', password: '' }, '请填写密码'],
  ])('%s', async (_, fields, sentence) => {
    expect(outcome(await server.post('/api/signin', fields as Record<string, string>))).toEqual(
      refused(sentence),
    );
  });

  test('white space in a password counts', async () => {
    const answer = await server.post('/api/signin', { username: '王维', password: ` ${PASSWORD}` });
    expect(outcome(answer)).toEqual(refused('用户名或密码错误'));
  });
});

describe('users', () => {
  test('anyone sees a user without password or e-mail', async () => {
    for (const token of [undefined, stranger.token, author.token]) {
      const answer = await server.post('/api/user/detail', { username: 'stranger' }, token);
      expect(done(answer)).toEqual(user({ username: 'Stranger' }));
      expect(answer.text).not.toMatch(/password|hash|mail/);
    }
  });

  test('an unknown name is not found', async () => {
    for (const path of ['/api/user/detail', '/api/signin/getUserInfo']) {
      for (const username of ['李白', '', 'undefined', '%', '\u0000']) {
        expect(outcome(await server.post(path, { username }))).toEqual(refused('用户不存在'));
      }
      expect(outcome(await server.post(path, {}))).toEqual(refused('用户不存在'));
    }
  });

  test('drafts, secret articles and comments are counted only for the user', async () => {
    const public_ = await server.write(author);
    await server.write(author, { secret: 'true' });
    await server.write(author, { status: 'draft' });
    await server.comment(author, public_);
    const own = { page_num: 2, draft_num: 1, comment_num: 1 };
    const others = { page_num: 1, draft_num: 0, comment_num: 0 };
    const info = async (token?: string) =>
      done(await server.post('/api/signin/getUserInfo', { username: '王维' }, token));
    expect(await info(author.token)).toEqual(user({ username: '王维', ...own }));
    expect(await info(stranger.token)).toEqual(user({ username: '王维', ...others }));
    expect(await info()).toEqual(user({ username: '王维', ...others }));
  });

  test('changes only the caller’s bio, whatever name the body has', async () => {
    const answer = await server.post(
      '/api/user/updatebio',
      { bio: ' 行到水穷处 ', username: '王维' },
      stranger.token,
    );
    expect(done(answer)).toEqual(expect.any(String));
    expect(done(await server.post('/api/user/detail', { username: 'Stranger' })).bio).toBe('行到水穷处');
    expect(done(await server.post('/api/user/detail', { username: '王维' })).bio).toBe('');
    done(await server.post('/api/user/updatebio', { bio: '' }, stranger.token));
    expect(done(await server.post('/api/user/detail', { username: 'Stranger' })).bio).toBe('');
  });

  test('statistics count users and public articles', async () => {
    const before = done(await server.post('/api/statistics', {}, author.token));
    expect(before).toEqual({ userNum: expect.any(Number), pageNum: expect.any(Number) });
    await server.join('裴迪');
    await server.write(author, { status: 'draft' });
    await server.write(author, { secret: 'true' });
    await server.write(author);
    const after = done(await server.post('/api/statistics', {}, author.token));
    expect(after).toEqual({ userNum: before.userNum + 1, pageNum: before.pageNum + 1 });
  });
});
