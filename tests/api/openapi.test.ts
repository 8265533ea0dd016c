import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../src/components/api/operations.ts';
import { apiDocument } from '../../src/lib/contract/openapi/document.ts';
import { apiCallId } from '../../src/lib/shared/ids.ts';
import { requireDescribed } from './described.ts';
import { openServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

describe('GET /api/openapi.json', () => {
  test('answers the description, which caches may keep for some minutes', async () => {
    const { status, text, headers } = await server.get('/api/openapi.json');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'public, max-age=300',
    ]);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(apiDocument())));
    const etag = headers.get('etag') ?? '';
    const again = await server.send('/api/openapi.json', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  });
});

describe('/api/docs', () => {
  const read = async () => (await server.send('/api/docs')).text;

  test('describes every call and every refusal, without scripts of others', async () => {
    const html = await read();
    const ids = operationsOf(apiDocument()).map(({ operation }) => operation.operationId);
    expect(ids.length).toBeGreaterThan(150);
    expect(ids.filter((id) => !html.includes(`<section id="${apiCallId(id)}"`))).toEqual([]);
    expect(html).toMatch(/POST<\/b>\s+\/api\/page\/new/);
    expect(html).toContain('1–60 字');
    expect(html).not.toMatch(/<(?:script|img|iframe)[^>]*\ssrc="(?:https?:)?\/\//);
  });

  test('every link on it leads to a part of it', async () => {
    const html = await read();
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(500);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('is a page only when it is read', async () => {
    const { status, error } = await server.post('/api/docs');
    expect([status, error]).toEqual([404, 'CALL_UNKNOWN']);
    expect((await server.send('/api/docs/')).status).toBe(200);
  });
});

test('the tests of the API notice an answer that is not described', () => {
  const called = { url: '/api/tag/alltags', method: 'POST', status: 200 };
  const check = (body: unknown) => () => requireDescribed({ ...called, body });
  expect(check({ code: 'OK', data: ['诗'] })).not.toThrow();
  expect(check({ code: 'OK', data: [7] })).toThrow('is not described');
  expect(check({ code: 'ERROR', data: '不行', error: 'BODY_MALFORMED' })).not.toThrow();
  expect(check({ code: 'ERROR', data: '不行', error: 'NOT_YOURS' })).toThrow('is not described');
});
