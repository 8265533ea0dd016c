import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from './editor.ts';
import { openServer, outcome, PASSWORD, refused, type TestServer } from './server.ts';
import { TOKEN } from './shapes.ts';

const WAIT = refused(
  '该账号近来有多次密码错误，从新的设备登录请等待 5 分钟后再试；登录过该账号的设备不受影响',
  429,
);
const IN = { status: 200, code: 'OK', data: { token: TOKEN, refresh_token: TOKEN } };

let server: TestServer;
beforeAll(async () => {
  server = await openServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
});
afterAll(() => server?.close());

const send = (path: string, address: string, fields: Record<string, string>, cookie?: string) =>
  server.send(path, {
    method: 'POST',
    headers: { 'X-Forwarded-For': address, ...(cookie === undefined ? {} : { Cookie: cookie }) },
    body: new URLSearchParams(fields),
  });
const signup = (username: string, address: string) =>
  send('/api/signup', address, { username, password: PASSWORD, repassword: PASSWORD });
const signin = (username: string, address: string, cookie?: string, password = PASSWORD) =>
  send('/api/signin', address, { username, password }, cookie);
/** Name and value of the cookie that a response sets. */
const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
async function attack(username: string): Promise<void> {
  for (let index = 0; index < 20; index++)
    expect((await signin(username, `10.0.${index}.1`, undefined, 'wrong guess')).status).toBe(200);
}

describe('an account under attack', () => {
  test('lets its owner sign in from a known device or address at once, and from a new one after the pause', async () => {
    const device = cookieOf(await signup('王维', '192.0.2.1'));
    await attack('王维');
    const refusal = await signin('王维', '203.0.113.9');
    expect(outcome(refusal)).toEqual(WAIT);
    expect(refusal.headers.get('retry-after')).toBe('300');
    expect(outcome(await signin('王维', '203.0.113.9', device))).toEqual(IN);
    expect(outcome(await signin('王维', '192.0.2.1'))).toEqual(IN);
    expect(outcome(await signin('王维', '203.0.113.77'))).toEqual(WAIT);
    server.pass(300);
    expect(outcome(await signin('王维', '203.0.113.77'))).toEqual(IN);
  });

  test('responds like an unknown name', async () => {
    await attack('无人');
    expect(outcome(await signin('无人', '203.0.113.9'))).toEqual(WAIT);
  });

  test('does not accept a forged device name', async () => {
    await signup('孟浩然', '192.0.2.2');
    await attack('孟浩然');
    for (const cookie of [
      'moye-device=AAAAAAAAAAAAAAAAAAAAAA',
      'moye-device=',
      "moye-device=' or 1=1",
      'x=y',
    ])
      expect(outcome(await signin('孟浩然', '203.0.113.9', cookie))).toEqual(WAIT);
  });
});

describe('the name of a device', () => {
  test('is a random HttpOnly cookie for API calls that stays the same', async () => {
    const first = await signup('李白', '192.0.2.3');
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^moye-device=[A-Za-z0-9_-]{22}; Max-Age=31536000; Path=\/api; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const again = await signin('李白', '192.0.2.3', cookieOf(first));
    expect(cookieOf(again)).toBe(cookieOf(first));
    const other = await signin('李白', '192.0.2.3', 'moye-device=tooshort');
    expect(cookieOf(other)).toMatch(/^moye-device=[A-Za-z0-9_-]{22}$/);
    expect(cookieOf(other)).not.toBe(cookieOf(first));
  });

  test('is set only by successful sign-ins and sign-ups', async () => {
    const refusedOnes = [
      await signin('李白', '192.0.2.4', undefined, 'wrong guess'),
      await signup('李白', '192.0.2.4'),
      await send('/api/signin', '192.0.2.4', {}),
    ];
    const others = ['/api/tag/alltags', '/api/signout', '/api/signin/getUserInfo', '/api/user/detail'];
    for (const path of others) refusedOnes.push(await send(path, '192.0.2.4', { username: '李白' }));
    refusedOnes.push(await server.send('/home'), await server.send('/signin'));
    expect(refusedOnes.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  });

  test('grants no rights on its own', async () => {
    const cookie = cookieOf(await signin('李白', '192.0.2.3'));
    expect((await send('/api/statistics', '192.0.2.3', {}, cookie)).status).toBe(402);
  });

  test('is Secure on https sites', async () => {
    const secure = await openServer({ SITE_URL: 'https://blog.example' });
    try {
      const answer = await secure.post('/api/signup', {
        username: '裴迪',
        password: PASSWORD,
        repassword: PASSWORD,
      });
      expect(answer.headers.getSetCookie()[0]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    } finally {
      await secure.close();
    }
  });
});

test('wrong access tokens count by address: after 100, that address waits, but its right tokens do not', async () => {
  const person = await server.join('守门');
  const token = await createToken(server, person, ['articles:read']);
  const errorOf = async (address: string, secret: string) => {
    const headers = { 'X-Forwarded-For': address, Authorization: `Bearer ${secret}` };
    return (await server.send('/api/page/pagelist', { method: 'POST', headers })).error;
  };
  const wrong = `${token.slice(0, -1)}!`;
  for (let count = 0; count < 100; count++)
    expect(await errorOf('198.51.100.1', wrong)).toBe('ACCESS_TOKEN_INVALID');
  expect(await errorOf('198.51.100.1', wrong)).toBe('TOO_MANY_REQUESTS');
  expect(await errorOf('198.51.100.1', token)).toBeUndefined();
  expect(await errorOf('198.51.100.2', wrong)).toBe('ACCESS_TOKEN_INVALID');
  expect(outcome(await signup('过客', '198.51.100.1'))).toEqual(IN);
});
