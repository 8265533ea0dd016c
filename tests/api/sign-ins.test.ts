import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { done, openServer, outcome, PASSWORD, refused, type Person, type TestServer } from './server.ts';
import { NOWHERE, TOKEN } from './shapes.ts';

const EXPIRED = refused('登录超时', 401);
const UNUSABLE = refused('请重新登录', 402);
/** Calls that require a sign-in, with otherwise valid fields. */
const SIGNED_IN: [method: string, path: string, fields: Record<string, string>][] = [
  ['POST', '/api/user/updatebio', { bio: '新' }],
  ['POST', '/api/page/editdetail', { id: NOWHERE }],
  ['POST', '/api/page/limitpagelist', { type: 'create_user', content: '李白', status: 'normal' }],
  ['POST', '/api/page/new', { title: '题', content: '文', tags: '诗', status: 'normal', secret: 'false' }],
  ['POST', '/api/page/edit', { id: NOWHERE, title: '题', content: '文', tags: '诗' }],
  ['POST', '/api/page/delete', { id: NOWHERE }],
  ['POST', '/api/comment/create', { content: '好', page_id: NOWHERE }],
  ['POST', '/api/comment/getusercommentlist', { type: 'to_user' }],
  ['POST', '/api/comment/updatecommentstatus', { 'ids[]': NOWHERE }],
  ['GET', '/api/comment/getUnreadCommentNum', {}],
  ['POST', '/api/comment/delete', { id: NOWHERE }],
  ['POST', '/api/tag/create', { name: '绝句' }],
  ['POST', '/api/file/uploadAvatar', { imgData: 'data:image/png;base64,AAAA' }],
  ['POST', '/api/file/uploadImage', {}],
  ['POST', '/api/statistics', {}],
];
const PUBLIC: [path: string, fields: Record<string, string>][] = [
  ['/api/page/pagelist', {}],
  ['/api/page/searchpage', { keywords: '山' }],
  ['/api/page/detail', { id: NOWHERE }],
  ['/api/comment/getpagecommentlist', { page_id: NOWHERE }],
  ['/api/tag/taglist', {}],
  ['/api/tag/tagdetail', { name: '诗' }],
  ['/api/tag/alltags', {}],
  ['/api/user/detail', { username: '李白' }],
  ['/api/signin/getUserInfo', { username: '李白' }],
  ['/api/signout', {}],
];

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await openServer({ ACCESS_TOKEN_TTL: '60', REFRESH_TOKEN_TTL: '3600' });
  person = await server.join('李白');
});
afterAll(() => server?.close());
beforeEach(async () => {
  const answer = await server.post('/api/signin', { username: '李白', password: PASSWORD });
  person = { username: '李白', ...done(answer) };
});

const ask = (method: string, path: string, fields: Record<string, string>, authorization: string | null) =>
  server.send(path, {
    method,
    headers: authorization === null ? {} : { Authorization: authorization },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields) }),
  });
const unusable = (): [string, string | null][] => [
  ['no header', null],
  ['an empty header', ''],
  ['a scheme alone', 'Beare'],
  ['Beare undefined', 'Beare undefined'],
  ['Bearer null', 'Bearer null'],
  ['garbage', 'Beare garbage'],
  ['a refresh token', `Beare ${person.refresh_token}`],
  ['another scheme', `Basic ${person.token}`],
  ['two tokens', `Beare ${person.token} ${person.token}`],
  ['a token cut short', `Beare ${person.token.slice(0, -2)}`],
  ['an unsigned token', `Beare ${unsigned(person.token)}`],
];

describe.each(SIGNED_IN)('%s %s', (method, path, fields) => {
  test('asks a caller without a usable token to sign in', async () => {
    for (const [name, header] of unusable()) {
      expect([name, outcome(await ask(method, path, fields, header))]).toEqual([name, UNUSABLE]);
    }
  });

  test('reports an expired token separately', async () => {
    server.pass(61);
    const answer = await ask(method, path, fields, `Beare ${person.token}`);
    expect(outcome(answer)).toEqual(EXPIRED);
  });
});

test.each(['beare', 'Beare', 'Bearer', 'BEARER'])('the scheme may read %s', async (scheme) => {
  const headers = { Authorization: `${scheme} ${person.token}` };
  expect(done(await server.send('/api/comment/getUnreadCommentNum', { headers }))).toBe(0);
});

test.each(PUBLIC)('%s treats a caller without a usable token as a visitor', async (path, fields) => {
  const visitor = await ask('POST', path, fields, null);
  expect([200]).toContain(visitor.status);
  server.pass(61);
  for (const [name, header] of [...unusable(), ['an expired token', `Beare ${person.token}`] as const]) {
    const answer = await ask('POST', path, fields, header);
    expect([name, answer.status, answer.text]).toEqual([name, 200, visitor.text]);
  }
});

describe('with an expired token', () => {
  const fields = { title: '题', content: '文', tags: '诗' };
  const askExpired = (path: string, asked: Record<string, string>) => server.post(path, asked, person.token);
  const write = async (more: Record<string, string>) =>
    done(await server.post('/api/page/new', { ...fields, ...more }, person.token)).id as string;

  test('a user’s own draft or secret article asks for a refresh instead of 404', async () => {
    const own = [await write({ status: 'draft' }), await write({ secret: 'true', tags: '私' })];
    server.pass(61);
    for (const id of own) expect(outcome(await askExpired('/api/page/detail', { id }))).toEqual(EXPIRED);
    expect(outcome(await askExpired('/api/tag/tagdetail', { name: '私' }))).toEqual(EXPIRED);
    const { token } = done(await server.get('/api/signin/refreshToken', person.refresh_token));
    for (const id of own) expect(done(await server.post('/api/page/detail', { id }, token))._id).toBe(id);
  });

  test('so do the user’s own counts and comments on hidden articles', async () => {
    const id = await write({ status: 'draft' });
    await server.comment(person, id);
    server.pass(61);
    expect(outcome(await askExpired('/api/signin/getUserInfo', { username: '李白' }))).toEqual(EXPIRED);
    const comments = await askExpired('/api/comment/getpagecommentlist', { page_id: id });
    expect(outcome(comments)).toEqual(EXPIRED);
  });

  test('public content is served', async () => {
    const [open, other] = [await write({}), await server.join('王维')];
    const hidden = await server.write(other, { secret: 'true' });
    server.pass(61);
    done(await askExpired('/api/page/detail', { id: open }));
    done(await askExpired('/api/signin/getUserInfo', { username: '王维' }));
    const nowhere = await askExpired('/api/page/detail', { id: NOWHERE });
    expect((await askExpired('/api/page/detail', { id: hidden })).text).toBe(nowhere.text);
  });

  test('whose sign-in has ended, the caller is a visitor', async () => {
    const id = await write({ status: 'draft' });
    server.pass(61);
    done(await askExpired('/api/signout', {}));
    const nowhere = await askExpired('/api/page/detail', { id: NOWHERE });
    expect((await askExpired('/api/page/detail', { id })).text).toBe(nowhere.text);
  });
});

describe('refreshing', () => {
  const refresh = (token?: string) => server.get('/api/signin/refreshToken', token);

  test('gives a new pair, and the new pair works', async () => {
    server.pass(61);
    const pair = done(await refresh(person.refresh_token));
    expect(pair).toEqual({ token: TOKEN, refresh_token: TOKEN });
    expect(pair.refresh_token).not.toBe(person.refresh_token);
    done(await server.post('/api/statistics', {}, pair.token));
  });

  test('two tabs at once, or a lost answer, get the same successor for 30 seconds', async () => {
    const pairs = await Promise.all(Array.from({ length: 20 }, () => refresh(person.refresh_token)));
    const successors = new Set(pairs.map((answer) => done(answer).refresh_token as string));
    expect(successors.size).toBe(1);
    server.pass(29);
    expect(done(await refresh(person.refresh_token)).refresh_token).toBe([...successors][0]);
  });

  test('reuse of a replaced token ends the sign-in', async () => {
    const pair = done(await refresh(person.refresh_token));
    server.pass(31);
    expect(outcome(await refresh(person.refresh_token))).toEqual(UNUSABLE);
    expect(outcome(await refresh(pair.refresh_token))).toEqual(UNUSABLE);
    expect(outcome(await server.post('/api/statistics', {}, pair.token))).toEqual(UNUSABLE);
  });

  test('only a valid refresh token works', async () => {
    for (const token of [undefined, 'garbage', person.token, unsigned(person.refresh_token)]) {
      expect(outcome(await refresh(token))).toEqual(UNUSABLE);
    }
    server.pass(3601);
    expect(outcome(await refresh(person.refresh_token))).toEqual(UNUSABLE);
  });
});

describe('signing out', () => {
  test('ends this sign-in and no other', async () => {
    const other = done(await server.post('/api/signin', { username: '李白', password: PASSWORD }));
    const answer = await server.raw('/api/signout', '', { type: null, token: person.token });
    expect(done(answer)).toEqual(expect.any(String));
    expect(outcome(await server.get('/api/signin/refreshToken', person.refresh_token))).toEqual(UNUSABLE);
    expect(outcome(await server.post('/api/statistics', {}, person.token))).toEqual(UNUSABLE);
    done(await server.post('/api/statistics', {}, other.token));
    done(await server.get('/api/signin/refreshToken', other.refresh_token));
  });

  test('works with an access token that has expired', async () => {
    server.pass(61);
    done(await server.post('/api/signout', {}, person.token));
    expect(outcome(await server.get('/api/signin/refreshToken', person.refresh_token))).toEqual(UNUSABLE);
  });

  test('succeeds for visitors', async () => {
    for (const token of [undefined, 'garbage', person.refresh_token]) {
      expect(done(await server.raw('/api/signout', '', { type: null, token }))).toEqual(expect.any(String));
    }
  });
});

/** Returns the token with the same claims and `alg: none`. */
function unsigned(token: string): string {
  const [, claims] = token.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  return `${header}.${claims}.`;
}
