import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutsideJudge } from '../../../src/lib/server/moderation/outside-judge.ts';

const SECRET = 'a secret that both sides know, 32 characters';
const NOW = Date.UTC(2026, 5, 1);
const written = {
  kind: 'comment' as const,
  id: null,
  isShown: false,
  author: { id: '1', username: '路人' },
  source: '你好 **朋友**',
  text: '你好 朋友',
};

let server: Server;
let answer: (body: string, signature: string) => [status: number, body: string] | null;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const answered = answer(body, String(request.headers['x-moye-signature']));
      if (answered) response.writeHead(answered[0], { Location: '/elsewhere' }).end(answered[1]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const judge = (place = url) => {
  const log = { warn: () => undefined } as unknown as Parameters<typeof createOutsideJudge>[0]['log'];
  return createOutsideJudge({ url: place, secret: SECRET, log, now: () => NOW })(written);
};

test.each(['show', 'hold', 'reject'] as const)('what it answers counts: %s', async (verdict) => {
  answer = () => [200, JSON.stringify({ verdict, reason: 'more than is asked for' })];
  expect(await judge()).toBe(verdict);
});

test('it receives the rendered text, in signed requests', async () => {
  const asked: string[] = [];
  answer = (body, signature) => {
    asked.push(body, signature);
    return [200, '{"verdict":"show"}'];
  };
  await judge();
  const [body = '', signature] = asked;
  expect(JSON.parse(body)).toEqual({ kind: 'comment', id: null, author: '路人', text: '你好 朋友' });
  const seconds = NOW / 1000;
  const expected = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
  expect(signature).toBe(`t=${seconds},v1=${expected}`);
});

test.each<[string, typeof answer]>([
  ['nothing, ever', () => null],
  ['a fault', () => [500, '{"verdict":"show"}']],
  ['a page', () => [200, '<!doctype html>']],
  ['a verdict that is none', () => [200, '{"verdict":"maybe"}']],
  ['a redirect', () => [302, '']],
])('%s is no answer: the text waits', async (_, says) => {
  answer = says;
  expect(await judge()).toBe('unanswered');
});

test('an unreachable service counts as no answer', async () => {
  expect(await judge('http://127.0.0.1:9/check')).toBe('unanswered');
});
