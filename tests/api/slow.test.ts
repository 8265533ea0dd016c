import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount, tally } from '../trial.ts';
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

/** Opens a connection, sends `start`, then one character at intervals until the server closes it. */
async function drip(start: string): Promise<string> {
  const wire = await openWire(server.url);
  wire.socket.write(start);
  const timer = setInterval(() => wire.socket.write('a'), 500);
  const text = await wire.closed;
  clearInterval(timer);
  return text;
}

/** Number of concurrent connections of each kind, and number of rounds. */
const [EACH, ROUNDS] = [amount('TRUST_EACH', 5, 20), amount('TRUST_ROUNDS', 1, 2)];

/** Opens a connection, sends `part` of a request and closes its side of the connection. */
async function leave(part: string): Promise<string> {
  const wire = await openWire(server.url);
  wire.socket.end(part);
  return wire.closed;
}

async function keepSilent(): Promise<string> {
  const wire = await openWire(server.url);
  return wire.closed;
}

test(
  'silent, slow and half-open connections are closed, and others served',
  async () => {
    const authorization = `Authorization: Beare ${author.token}\r\n`;
    const kinds = [
      () => drip('GET /home HTTP/1.1\r\nHost: a\r\nX-Slow: '),
      () => drip(''),
      () => drip(`${HEAD}${authorization}\r\ntitle=`),
      () => drip('POST /api/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 400\r\n\r\n'),
      () => leave('GET /home HTTP/1.1\r\nHost'),
      () => leave(`${HEAD}${authorization}\r\ntitle=`),
      keepSilent,
    ];
    const before = done(await server.post('/api/statistics', {}, author.token));
    for (let round = 0; round < ROUNDS; round++) {
      const slow = kinds.flatMap((kind) => Array.from({ length: EACH }, kind));
      expect(done(await server.post('/api/statistics', {}, author.token))).toEqual(before);
      const texts = await Promise.all(slow);
      const served = texts.filter((text) => text.includes('200 OK'));
      tally('slow connections', slow.length, served.length);
      expect(served).toEqual([]);
      expect(done(await server.post('/api/statistics', {}, author.token))).toEqual(before);
    }
  },
  60_000 + 60_000 * ROUNDS,
);

describe('with many addresses,', () => {
  let shared: TestServer;
  let person: Person;
  let png: Buffer;
  beforeAll(async () => {
    shared = await openServer({ TRUST_PROXY: '1' });
    person = await shared.join('孟浩然');
    png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#345' } })
      .png()
      .toBuffer();
  });
  afterAll(() => shared?.close());

  const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';

  /** Opens an upload of 16 MiB from `address` and starts to send it. */
  async function begin(call: 'uploadImage' | 'uploadAvatar', address: string) {
    const wire = await openWire(shared.url);
    const [type, start] =
      call === 'uploadImage'
        ? ['multipart/form-data; boundary=b', PART]
        : ['application/x-www-form-urlencoded', 'imgData='];
    const head = [
      `POST /api/file/${call} HTTP/1.1`,
      'Host: a',
      `Authorization: Beare ${person.token}`,
      `X-Forwarded-For: ${address}`,
      `Content-Type: ${type}`,
      `Content-Length: ${16 * 2 ** 20}`,
      'Connection: close',
    ];
    wire.socket.write(`${head.join('\r\n')}\r\n\r\n${start}`);
    return wire;
  }

  async function upload(address: string) {
    const headers = { Authorization: `Beare ${person.token}`, 'X-Forwarded-For': address };
    const imgData = `data:image/png;base64,${png.toString('base64')}`;
    const avatar = await shared.send('/api/file/uploadAvatar', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ imgData }),
    });
    const body = new FormData();
    body.set('file', new File([new Uint8Array(png)], 'a.png'));
    return [avatar, await shared.send('/api/file/uploadImage', { method: 'POST', headers, body })];
  }

  test('that each upload a byte at a time, another uploads pictures at once', async () => {
    const slow = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        begin(index % 2 ? 'uploadImage' : 'uploadAvatar', `198.51.100.${index}`),
      ),
    );
    const timer = setInterval(() => slow.forEach(({ socket }) => socket.write('a')), 20);
    try {
      for (const answer of await upload('203.0.113.9')) done(answer);
      tally('slow connections', slow.length);
      expect(slow.map(({ received }) => received())).toEqual(slow.map(() => ''));
    } finally {
      clearInterval(timer);
      for (const { socket } of slow) socket.destroy();
    }
  });

  test('one that has sent most of three large pictures gets Retry-After, the others do not', async () => {
    const wires = await Promise.all(Array.from({ length: 3 }, () => begin('uploadImage', '198.51.100.1')));
    const most = Buffer.alloc(14 * 2 ** 20, 'a');
    for (const { socket } of wires) socket.write(most);
    const told = await Promise.race(
      wires.map(async ({ received }) => {
        await expect.poll(received).not.toBe('');
        return received();
      }),
    );
    expect(told).toMatch(/^HTTP\/1\.1 429 /);
    expect(told).toMatch(/^retry-after: 2$/im);
    expect(told).toContain('同时上传的内容过多，请稍后再试');
    for (const answer of await upload('203.0.113.9')) done(answer);
    for (const { socket } of wires) socket.destroy();
  });
});
