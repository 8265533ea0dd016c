import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Person, type TestServer } from './server.ts';

const FRIEND = 'https://app.example.com';

let server: TestServer;
let author: Person;
let id: string;
beforeAll(async () => {
  server = await openServer({
    CORS_ORIGINS: `${FRIEND}, http://localhost:8080`,
    SITE_URL: 'https://moye.example',
  });
  author = await server.join('王维');
  id = await server.write(author);
});
afterAll(() => server?.close());

const write = (headers: Record<string, string>, bio: string = crypto.randomUUID()) =>
  server.send('/api/user/updatebio', {
    method: 'POST',
    headers: { Authorization: `Beare ${author.token}`, ...headers },
    body: new URLSearchParams({ bio }),
  });
const bio = async () => done(await server.post('/api/user/detail', { username: '王维' })).bio;

describe('a page of another site', () => {
  test.each([
    'https://evil.example',
    'https://moye.example.evil.example',
    'http://moye.example',
    'null',
    'https://moye.example:444',
    'file://',
    '',
  ])('is answered like any other client, and may not read it: Origin %j', async (origin) => {
    const sentence = `来自 ${origin}`;
    const answer = await write({ Origin: origin }, sentence);
    expect(outcome(answer)).toEqual(outcome(await write({}, sentence)));
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(await bio()).toBe(sentence.trim());
  });

  test('gets the same responses as every client, and never 403', async () => {
    const send = async (path: string, headers: Record<string, string>) => {
      const body = new URLSearchParams({ username: '王维', password: 'x', repassword: 'x' });
      return outcome(await server.send(path, { method: 'POST', body, headers }));
    };
    for (const path of ['/api/signin', '/api/signup', '/api/file/uploadImage', '/api/nothing'])
      expect(await send(path, { Origin: 'https://evil.example' })).toEqual(await send(path, {}));
  });

  test('gets no rights from the visitor’s cookies', async () => {
    const before = await bio();
    const headers = { Origin: 'https://evil.example', Cookie: `token=${author.token}`, Authorization: '' };
    expect(outcome(await write(headers))).toEqual(refused('请重新登录', 402));
    expect(await bio()).toBe(before);
  });

  test('may not read responses either', async () => {
    const answer = await server.send('/api/comment/getUnreadCommentNum', {
      headers: { Origin: 'https://evil.example', Authorization: `Beare ${author.token}` },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await server.send('/api/user/updatebio', {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a page of this site', () => {
  test('writes under its public address and under the one it was opened at', async () => {
    for (const origin of ['https://moye.example', server.url]) {
      const answer = await write({ Origin: origin });
      expect([answer.code, answer.headers.get('access-control-allow-origin')]).toEqual(['OK', null]);
    }
  });

  test('so does a client without an Origin', async () => {
    expect((await write({})).code).toBe('OK');
  });
});

describe('a page of a listed origin', () => {
  test.each([FRIEND, 'http://localhost:8080'])('%s may write and read the answer', async (origin) => {
    const answer = await write({ Origin: origin }, origin);
    expect(answer.code).toBe('OK');
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('vary')).toMatch(/origin/i);
    expect(await bio()).toBe(origin);
  });

  test('reads refusals too', async () => {
    const signedOut = await write({ Origin: FRIEND, Authorization: 'Beare undefined' });
    expect([signedOut.status, signedOut.headers.get('access-control-allow-origin')]).toEqual([402, FRIEND]);
    const unknown = await server.send('/api/nothing', { headers: { Origin: FRIEND } });
    expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([404, FRIEND]);
    const large = await server.send('/api/user/updatebio', {
      method: 'POST',
      headers: { Origin: FRIEND },
      body: 'a'.repeat(300_000),
    });
    expect([large.status, large.headers.get('access-control-allow-origin')]).toEqual([413, FRIEND]);
  });

  test('passes the preflight, whatever headers it sends', async () => {
    const preflight = await server.send('/api/page/new', {
      method: 'OPTIONS',
      headers: {
        Origin: FRIEND,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,x-requested-with',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(FRIEND);
    expect(preflight.headers.get('access-control-allow-methods')).toMatch(/POST/);
    for (const name of ['authorization', 'content-type', 'x-requested-with']) {
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(name);
    }
  });
});

describe('cookies', () => {
  test('alone neither write nor read private data', async () => {
    const Cookie = `token=${author.token}; refresh_token=${author.refresh_token}`;
    const send = (path: string, fields: Record<string, string>) =>
      server.send(path, { method: 'POST', headers: { Cookie }, body: new URLSearchParams(fields) });
    const before = await bio();
    for (const [path, fields] of [
      ['/api/user/updatebio', { bio: 'cookie' }],
      ['/api/page/new', { title: 'a', content: 'b', tags: 'c' }],
      ['/api/page/delete', { id }],
      ['/api/comment/create', { content: 'a', page_id: id }],
      ['/api/page/limitpagelist', { status: 'draft' }],
    ] as const) {
      expect(outcome(await send(path, fields))).toEqual(refused('请重新登录', 402));
    }
    expect(outcome(await server.send('/api/signin/refreshToken', { headers: { Cookie } }))).toEqual(
      refused('请重新登录', 402),
    );
    done(await send('/api/signout', {}));
    expect(await bio()).toBe(before);
    done(await server.post('/api/page/detail', { id }));
    done(await server.get('/api/comment/getUnreadCommentNum', author.token));
  });
});

describe('Host and X-Forwarded-*', () => {
  const paths = () => [
    '/',
    '/home',
    `/detail/${id}`,
    '/tag/list',
    '/user/info/王维',
    '/404',
    '/nowhere',
    '/healthz',
    '/api/nothing',
    '/api/page/pagelist',
  ];

  test('do not appear in any page or header', async () => {
    const headers = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'javascript',
      'X-Forwarded-For': 'evil.example',
      Forwarded: 'host=evil.example;proto=evil',
      'X-Original-Url': '/evil.example',
      'X-Rewrite-Url': '/evil.example',
      Referer: 'https://evil.example/',
      Cookie: 'theme=evil.example; token=evil.example',
    };
    for (const path of paths()) {
      const seen = await rawGet(encodeURI(path), headers);
      expect([path, seen.text.includes('evil')]).toEqual([path, false]);
      expect([path, seen.status]).toEqual([path, (await rawGet(encodeURI(path), {})).status]);
    }
  });

  test('odd values cause no error', async () => {
    for (const Host of ['', 'a b', '[::1', 'evil:99999', '%00', 'ex ample.com:80', '..', '@evil']) {
      for (const path of ['/home', '/api/nothing'])
        expect([Host, path, (await rawGet(path, { Host })).status < 500]).toEqual([Host, path, true]);
    }
  });

  /** `fetch` cannot send another Host header. */
  function rawGet(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(server.url + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = `${response.rawHeaders.join('\n')}\n${Buffer.concat(chunks).toString()}`;
          resolve({ status: response.statusCode ?? 0, text });
        });
      });
      outgoing.on('error', reject).end();
    });
  }
});
