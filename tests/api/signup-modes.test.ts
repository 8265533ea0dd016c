import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { done, openServer, PASSWORD, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let operator: Person;
beforeAll(async () => {
  server = await openServer();
  operator = await server.join('老王');
  await server.app.services.roles.set('老王', 'operator', null);
});
afterAll(() => server?.close());
beforeEach(() => change({ signup: 'open', reserved_names: [] }));

const asOperator = (path: string, fields: Fields) =>
  server.post(`/api/staff/${path}`, fields, operator.token);
const change = async (fields: Fields) => done(await asOperator('options/change', fields));
const add = async (fields: Fields = {}) =>
  done(await asOperator('invitation/add', { uses: 1, days: 7, ...fields }));
const list = async () => done(await asOperator('invitations', {}));
let made = 0;
const signup = (fields: Fields = {}) => {
  const account = { username: `来客${++made}`, password: PASSWORD, repassword: PASSWORD };
  return server.post('/api/signup', { ...account, ...fields });
};
const userCount = async () => (await server.rows('select id from users')).length;

test('by default anyone may sign up, and a wrong code is ignored', async () => {
  expect(done(await server.post('/api/signup/mode')).mode).toBe('open');
  done(await signup());
  done(await signup({ invite: 'WRONG' }));
  const { code } = await add();
  done(await signup({ username: '有码的', invite: code }));
  expect((await list())[0]).toMatchObject({ code, uses: 1, guests: ['有码的'], is_good: false });
});

test('closed, no one may sign up; legacy clients get a text message', async () => {
  await change({ signup: 'closed' });
  const { code } = await add();
  const before = await userCount();
  for (const answer of [await signup(), await signup({ invite: code })]) {
    expect([answer.status, answer.error, answer.data]).toEqual([200, 'SIGNUP_CLOSED', '本站暂不开放注册']);
  }
  expect(await userCount()).toBe(before);
  expect(done(await server.post('/api/signup/mode')).mode).toBe('closed');
  // The operator can still add accounts.
  await server.app.services.accounts.add({ username: '新同事', password: PASSWORD, bio: '' });
});

test('by invitation, a code admits its number of accounts, however it is typed', async () => {
  await change({ signup: 'invitation' });
  const before = await userCount();
  expect((await signup()).error).toBe('INVITATION_REQUIRED');
  const wrong = await signup({ invite: 'AAAA-BBBB-CCCC' });
  expect([wrong.error, wrong.field]).toEqual(['INVITATION_INVALID', 'invite']);
  expect(await userCount()).toBe(before);
  const { code } = await add({ uses: 2, note: '给老友' });
  done(await signup({ invite: code.toLowerCase() }));
  done(await signup({ invite: ` ${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)}` }));
  expect((await signup({ invite: code })).error).toBe('INVITATION_INVALID');
  expect(await userCount()).toBe(before + 2);
  expect((await list())[0]).toMatchObject({ note: '给老友', creator: '老王', uses: 2, most_uses: 2 });
});

test('of many concurrent sign-ups with a single-use code, one succeeds', async () => {
  await change({ signup: 'invitation' });
  const { code } = await add();
  const answers = await Promise.all(Array.from({ length: 6 }, () => signup({ invite: code })));
  expect(answers.filter((answer) => answer.code === 'OK')).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'INVITATION_INVALID')).toHaveLength(5);
});

test('a revoked or expired code admits no one', async () => {
  await change({ signup: 'invitation' });
  const [ended, old] = [await add(), await add({ days: 1 })];
  done(await asOperator('invitation/end', { id: ended.id }));
  expect((await signup({ invite: ended.code })).error).toBe('INVITATION_INVALID');
  server.pass(86_401);
  expect((await signup({ invite: old.code })).error).toBe('INVITATION_INVALID');
  operator = {
    ...operator,
    ...done(await server.post('/api/signin', { username: '老王', password: PASSWORD })),
  };
  const log = await server.rows("select action from audit_log where subject_kind = 'invitation'");
  expect(log.filter(({ action }) => action === 'invitation.end')).toHaveLength(1);
});

test.each([
  ['uses', { uses: 0 }],
  ['uses', { uses: 1001 }],
  ['days', { days: 366 }],
  ['days', { days: '一' }],
  ['note', { note: '长'.repeat(61) }],
])('a wrong %s of a new code is refused in a sentence', async (field, fields) => {
  const answer = await asOperator('invitation/add', { uses: 1, days: 7, ...fields });
  expect([answer.status, answer.error, answer.field]).toEqual([200, 'FIELD_INVALID', field]);
});

test('reserved names and look-alikes are refused', async () => {
  await change({ reserved_names: ['总编', 'Paypal'] });
  for (const username of ['admin', 'ADMIN', 'аdmin', '站长', '墨页', '总编', 'paypaI', 'ｐａｙｐａｌ'])
    expect([username, (await signup({ username })).error]).toEqual([username, 'USERNAME_RESERVED']);
  done(await signup({ username: '总编室小李' }));
  const long = await asOperator('options/change', { reserved_names: ['长'.repeat(21)] });
  expect([long.error, long.field]).toEqual(['FIELD_INVALID', 'reserved_names']);
});
