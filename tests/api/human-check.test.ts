import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WorkToDo } from '../../src/lib/contract/human-check.ts';
import { createHumanCheck } from '../../src/lib/server/auth/guard/human-check.ts';
import { DEFAULT_OPTIONS } from '../../src/lib/contract/site-options.ts';
import { done, openServer, PASSWORD, type Fields, type Person, type TestServer } from './server.ts';
import { fakes } from '../fakes.ts';
import { solve } from '../proof.ts';

let server: TestServer;
let operator: Person;
let article: string;
beforeAll(async () => {
  server = await openServer();
  operator = await server.join('老王');
  await server.app.services.roles.set('老王', 'operator', null);
  article = await server.write(operator, { title: '有人评论的' });
});
afterAll(() => server?.close());
beforeEach(() => change({ humanCheck: 'signup', holdComments: 'none', approvedFirst: 2 }));

const change = async (fields: Fields) =>
  done(await server.post('/api/staff/options/change', fields, operator.token));
const prove = async (): Promise<string> => solve(done(await server.post('/api/check')));
let made = 0;
const signup = (fields: Fields = {}) => {
  const account = { username: `来客${++made}`, password: PASSWORD, repassword: PASSWORD };
  return server.post('/api/signup', { ...account, ...fields });
};
const userCount = async () => (await server.rows('select id from users')).length;

test('by default there is no check', async () => {
  await change({ humanCheck: 'off' });
  expect(done(await server.post('/api/signup/mode'))).toEqual({ mode: 'open', check: false });
  done(await signup());
});

test('legacy clients get a text message, and no account is created', async () => {
  expect(done(await server.post('/api/signup/mode'))).toEqual({ mode: 'open', check: true });
  const before = await userCount();
  const answer = await signup();
  expect([answer.status, answer.error]).toEqual([200, 'CHECK_NEEDED']);
  expect(answer.data).toMatch(/JavaScript/);
  expect(await userCount()).toBe(before);
});

test('a proof creates only one account', async () => {
  const check = await prove();
  done(await signup({ check }));
  expect((await signup({ check })).error).toBe('CHECK_FAILED');
});

test('of many concurrent uses of one proof, one succeeds', async () => {
  const check = await prove();
  const answers = await Promise.all(Array.from({ length: 6 }, () => signup({ check })));
  const codes = answers.map(({ error }) => error);
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(codes.filter((code) => code === 'CHECK_FAILED')).toHaveLength(5);
});

test('a taken name does not use up the proof', async () => {
  const check = await prove();
  expect((await signup({ username: '老王的', check })).error).toBeUndefined();
  const other = await prove();
  expect((await signup({ username: '老王的', check: other })).error).toBe('USERNAME_TAKEN');
  done(await signup({ check: other }));
});

test('an invalid proof is refused: forged, changed, without work, or of another site', async () => {
  const challenge: WorkToDo = done(await server.post('/api/check'));
  const solved = JSON.parse(await solve(challenge)) as { solution: { counter: number; derivedKey: string } };
  const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00', cost: 1 } };
  const later = {
    ...challenge,
    parameters: { ...challenge.parameters, expiresAt: challenge.parameters.expiresAt + 3600 },
  };
  const unsigned = { parameters: challenge.parameters };
  const foreign = await humansOf('another secret, of another site').ask();
  const { solution } = solved;
  for (const made of [
    'x',
    '[]',
    '{}',
    JSON.stringify({ challenge, solution: { counter: 0, derivedKey: '00'.repeat(32) } }),
    JSON.stringify({ challenge: easier, solution }),
    JSON.stringify({ challenge: later, solution }),
    JSON.stringify({ challenge: unsigned, solution }),
    JSON.stringify({ challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } }),
    await solve(foreign),
  ]) {
    expect((await signup({ check: made })).error, made).toBe('CHECK_FAILED');
  }
  expect((await signup({ check: 'x'.repeat(2001) })).field).toBe('check');
  done(await signup({ check: JSON.stringify(solved) }));
});

const humansOf = (secret: string, origin = 'https://blog.example.com') =>
  createHumanCheck({
    auth: server.app.services.auth,
    secret,
    origin,
    ...fakes({
      options: { read: () => Promise.resolve(DEFAULT_OPTIONS) },
      moderation: { isNewCommenter: () => Promise.resolve(true) },
    }),
    now: Date.now,
  });

test('a proof is good for ten minutes, used or not', async () => {
  const [one, other, used] = [await prove(), await prove(), await prove()];
  done(await signup({ check: used }));
  server.pass(9 * 60);
  done(await signup({ check: one }));
  expect((await signup({ check: used })).error).toBe('CHECK_FAILED');
  server.pass(60);
  await server.app.services.auth.purgeExpired();
  for (const check of [one, other, used]) expect((await signup({ check })).error).toBe('CHECK_FAILED');
});

test('on plain http, where scripts do the work, the difficulty is lower', async () => {
  const costOf = async (origin: string) => (await humansOf('s', origin).ask()).parameters.cost;
  const [full, local, plain] = await Promise.all(
    ['https://blog.example.com', 'http://localhost:4321', 'http://blog.example.com'].map(costOf),
  );
  expect(local).toBe(full);
  expect(plain).toBeLessThan(full ?? 0);
});

test('comments: new accounts need a proof, others and staff do not', async () => {
  await change({ humanCheck: 'off' });
  const [guest, other] = [await server.join('新来的'), await server.join('又一位')];
  await change({ humanCheck: 'signup' });
  const comment = (who: Person, content: string, fields: Fields = {}) =>
    server.post('/api/comment/create', { page_id: article, content, ...fields }, who.token);
  done(await comment(guest, '只在注册时验证'));
  await change({ humanCheck: 'comments' });
  expect((await signup()).error).toBe('CHECK_NEEDED');
  expect((await comment(guest, '没有证明的')).error).toBe('CHECK_NEEDED');
  const check = await prove();
  const sent = { check, request_id: 'once' };
  const first = done(await comment(guest, '带着证明的', sent));
  // A retry after a lost response: it returns the same comment and needs no new proof.
  expect(done(await comment(guest, '带着证明的', sent))._id).toBe(first._id);
  // Two public comments: the account no longer counts as new.
  done(await comment(guest, '已经不是新来的'));
  done(await comment(operator, '站长的'));
  expect((await comment(other, '用别人用过的', { check })).error).toBe('CHECK_FAILED');
  expect(await server.rows(`select id from comments where content like '%证明的'`)).toHaveLength(1);
});
