import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { connectionsOf, get, LARGE, open, serve, type Answer } from '../serving.ts';
import { KIB, MIB } from '../../../../src/lib/contract/rules/units.ts';

describe('a response that is not read', () => {
  test('ends its connection when it makes no progress, in one piece or many', async () => {
    const { server, port } = await serve(
      (request, response) => {
        if (request.url === '/one') return void response.end(LARGE);
        const more = () => {
          while (response.write(LARGE.subarray(0, 64 * KIB)));
        };
        response.on('drain', more);
        more();
      },
      { stallMs: 200 },
    );
    open(port, get('/one'));
    open(port, get('/many'));
    await expect.poll(() => connectionsOf(server)).toBe(2);
    await expect.poll(() => connectionsOf(server)).toBe(0);
  });

  test('is kept for a slow client, as long as it reads', async () => {
    const { port } = await serve((_request, response) => void response.end(LARGE), { stallMs: 400 });
    const { client, received } = open(port, get('/', 'Connection: close\r\n'));
    let bytes = 0;
    // In total longer than the time limit for a connection without progress.
    client.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      client.pause();
      setTimeout(() => client.resume(), bytes % 7 === 0 ? 5 : 1);
    });
    client.resume();
    await new Promise((resolve) => client.once('end', resolve));
    expect(received().length - received().indexOf('\r\n\r\n') - 4).toBe(LARGE.length);
  });

  test('does not include a response that the server has not sent yet', async () => {
    const { port } = await serve(
      (request, response) => void setTimeout(() => response.end(`late ${request.url}`), 600),
      { stallMs: 100 },
    );
    const { client, received } = open(port, get('/work') + get('/next'));
    client.resume();
    await expect.poll(received).toContain('late /work');
    await expect.poll(received).toContain('late /next');
  });

  test('is dropped first, when too many bytes wait, if stalled and largest', async () => {
    const { server, port } = await serve(
      (request, response) => {
        // Without a length, a client cannot tell a complete response from a truncated one.
        const bytes = LARGE.subarray(0, Number(request.url?.slice(1)) * MIB);
        response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes);
      },
      { unsentBytes: 20 * MIB, stallMs: 60_000 },
    );
    const small = open(port, get('/6', 'Connection: close\r\n'));
    await expect.poll(() => connectionsOf(server)).toBe(1);
    open(port, get('/12'));
    open(port, get('/12'));
    // 30 MiB together, so one of the two must be closed.
    await expect.poll(() => connectionsOf(server)).toBe(2);
    small.client.resume();
    await small.closed;
    expect(small.received().length).toBeGreaterThan(6 * MIB);
  });
});

describe('pipelined requests', () => {
  test('start one after another, each once the previous response has been read', async () => {
    const begun: string[] = [];
    const { port } = await serve((request, response) => {
      begun.push(request.url ?? '');
      response.end(LARGE);
    });
    const paths = ['/1', '/2', '/3'];
    const { client, received } = open(port, paths.map((path) => get(path)).join(''));
    await expect.poll(() => begun).toEqual(['/1']);
    // Other requests are served in the meantime, so the server has received all three by now.
    await fetch(`http://127.0.0.1:${port}/other`).then((answer) => answer.arrayBuffer());
    expect(begun).toEqual(['/1', '/other']);
    client.resume();
    await expect.poll(() => begun).toEqual(['/1', '/other', '/2', '/3']);
    await expect.poll(() => received().length).toBeGreaterThan(3 * LARGE.length);
  });

  test('are read with a limit: the rest stays in the system’s buffers', async () => {
    let begun = 0;
    const { server, port } = await serve((_request, response) => {
      begun++;
      response.end(LARGE);
    });
    let read = 0;
    server.on('request', () => read++);
    const { client } = open(port, get('/').repeat(3000));
    await expect.poll(() => read).toBeGreaterThan(100);
    await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.arrayBuffer());
    const before = read;
    client.write(get('/').repeat(3000));
    await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.arrayBuffer());
    expect([begun, read - before]).toEqual([3, 1]);
  });

  test('close the connection with most of them waiting, when there are too many', async () => {
    const held: ServerResponse[] = [];
    const { server, port } = await serve((request, response) => {
      if (request.url === '/stuck') held.push(response);
      else response.end('ok');
    });
    const few = open(port, get('/stuck').repeat(3));
    await expect.poll(() => connectionsOf(server)).toBe(1);
    const many = Array.from({ length: 6 }, () => open(port, get('/stuck').repeat(1200)));
    for (const { client } of many) client.resume();
    await expect.poll(() => connectionsOf(server)).toBeLessThan(5);
    expect(few.client.destroyed).toBe(false);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(await answer.text()).toBe('ok');
    for (const response of held) response.destroy();
  });
});

describe('connections of an address', () => {
  const silent: Answer = () => {};
  const statusOf = (port: number, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: string }>(
      (resolve, reject) => {
        const sent = ask({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
        });
        sent.on('error', reject).end();
      },
    );

  test('beyond the limit get an error and are closed, and far beyond are closed at once', async () => {
    const { server, port } = await serve((request, response) => void response.end(request.url), {
      perAddress: 3,
    });
    const held = Array.from({ length: 3 }, () => open(port, ''));
    await expect.poll(() => connectionsOf(server)).toBe(3);
    const refused = await statusOf(port, '/api/page/pagelist');
    expect([refused.status, refused.headers['connection']]).toEqual([429, 'close']);
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(JSON.parse(refused.body)).toEqual({
      code: 'ERROR',
      data: '同时打开的连接过多，请稍后再试',
      error: 'TOO_MANY_CONNECTIONS',
    });
    const page = await statusOf(port, '/home');
    expect([page.status, page.body]).toEqual([429, '同时打开的连接过多，请稍后再试\n']);

    const more = Array.from({ length: 3 }, () => open(port, ''));
    await expect.poll(() => connectionsOf(server)).toBe(6);
    const last = open(port, get('/home'));
    last.client.resume();
    await last.closed;
    expect(last.received()).toBe('');

    for (const { client } of [...held, ...more].slice(1)) client.destroy();
    await expect.poll(() => connectionsOf(server)).toBe(1);
    expect(await statusOf(port, '/home')).toMatchObject({ status: 200, body: '/home' });
  });

  test('behind a proxy are counted as a client’s open requests, whatever it claims to be', async () => {
    const { port } = await serve(
      (request, response) => {
        if (request.url === '/quick') response.end('ok');
      },
      { perAddress: 2, trustedHops: 1 },
    );
    const from = (address: string) => ({ 'X-Forwarded-For': `${Math.random()}, ${address}` });
    const slow = ['2001:db8::1', '2001:db8::2'].map((address) =>
      open(port, get('/slow', `X-Forwarded-For: 192.0.2.9, ${address}\r\n`)),
    );
    // An IPv6 network counts as one client.
    await expect.poll(async () => (await statusOf(port, '/quick', from('2001:db8::3'))).status).toBe(429);
    expect((await statusOf(port, '/quick', from('2001:db8:0:1::3'))).status).toBe(200);
    expect((await statusOf(port, '/quick', from('192.0.2.9'))).status).toBe(200);
    slow[0]?.client.destroy();
    await expect.poll(async () => (await statusOf(port, '/quick', from('2001:db8::3'))).status).toBe(200);
  });

  test('that were opened in advance and are silent do not delay a stop', async () => {
    const { server, connections, port } = await serve(silent);
    const { closed } = open(port, '');
    await expect.poll(() => connectionsOf(server)).toBe(1);
    await connections.stop(server);
    await closed;
  });
});

describe('a stopping server', () => {
  test('serves open and new connections, with Connection: close', async () => {
    const { server, connections, port } = await serve(
      (_request, response) => void response.end(String(connections.isStopping)),
    );
    const kept = open(port, get('/'));
    kept.client.resume();
    await expect.poll(kept.received).toContain('false');
    const lingering = connections.linger(300);
    kept.client.write(get('/'));
    const late = open(port, get('/'));
    late.client.resume();
    for (const { closed, received } of [kept, late]) {
      await closed;
      expect(received()).toMatch(/\r\nConnection: close\r\n[^]*true$/);
    }
    await lingering;
    expect(server.listening).toBe(true);
    await connections.stop(server);
    expect(server.listening).toBe(false);
  });

  test('answers every pipelined request, and closes with the last', async () => {
    const { connections, port } = await serve((request, response) => void response.end(request.url));
    await connections.linger(0);
    const { client, closed, received } = open(port, ['/1', '/2', '/3'].map((path) => get(path)).join(''));
    client.resume();
    await closed;
    expect(received().match(/Connection: [\w-]+|\/\d$|\/\d(?=HTTP)/g)).toEqual([
      'Connection: keep-alive',
      '/1',
      'Connection: keep-alive',
      '/2',
      'Connection: close',
      '/3',
    ]);
  });
});
