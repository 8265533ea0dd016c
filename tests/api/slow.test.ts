import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, openServer, type Person, type TestServer } from './server.ts';
import { openWire } from './wire.ts';

let server: TestServer;
let author: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
});
afterAll(() => server?.close());

const HEAD =
  'POST /api/page/new HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 400\r\n';

/** Opens a connection, sends `start`, then a character now and then for as long as the server listens. */
async function drip(start: string): Promise<string> {
  const wire = await openWire(server.url);
  wire.socket.write(start);
  const timer = setInterval(() => wire.socket.write('a'), 500);
  const text = await wire.closed;
  clearInterval(timer);
  return text;
}

test('connections that send nothing, drip their headers or drip their body are closed, and meanwhile others are served', async () => {
  const authorization = `Authorization: Beare ${author.token}\r\n`;
  const slow = [
    ...Array.from({ length: 5 }, () => drip('GET /home HTTP/1.1\r\nHost: a\r\nX-Slow: ')),
    ...Array.from({ length: 5 }, () => drip('')),
    ...Array.from({ length: 5 }, () => drip(`${HEAD}${authorization}\r\ntitle=`)),
    ...Array.from({ length: 5 }, () =>
      drip('POST /api/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 400\r\n\r\n'),
    ),
    openWire(server.url).then(({ closed }) => closed),
  ];
  const before = done(await server.post('/api/statistics', {}, author.token));
  const texts = await Promise.all(slow);
  expect(texts.filter((text) => text.includes('200 OK'))).toEqual([]);
  expect(done(await server.post('/api/statistics', {}, author.token))).toEqual(before);
}, 60_000);
