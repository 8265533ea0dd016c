import { describe, expect, test } from 'vitest';
import { connectionsOf, get, LARGE, open, serve } from './serving.ts';

describe('packets of many requests', () => {
  test('of many connections of an address are spread over turns of the event loop', async () => {
    const { server, port } = await serve((_request, response) => void response.end('a'));
    let inTurn = 0;
    let read = 0;
    let most = 0;
    server.on('request', () => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      inTurn++;
      read++;
      most = Math.max(most, inTurn);
    });
    const { client } = open(port, '');
    const others = Array.from({ length: 9 }, () => open(port, '').client);
    await expect.poll(() => connectionsOf(server)).toBe(10);
    // All are in the system's buffers before the server's next turn.
    for (const one of [client, ...others]) one.write(get('/').repeat(150));
    await expect.poll(() => read).toBe(1500);
    expect(most).toBeLessThanOrEqual(300);
  });

  test('do not delay others when their connections are closed: one per turn', async () => {
    const { server, port } = await serve((_request, response) => void response.end(LARGE));
    let inTurn = 0;
    let ended = 0;
    let most = 0;
    server.on('connection', (socket) =>
      socket.on('close', () => {
        if (inTurn === 0) setImmediate(() => (inTurn = 0));
        inTurn++;
        ended++;
        most = Math.max(most, inTurn);
      }),
    );
    const flooding = Array.from({ length: 30 }, () => open(port, ''));
    await expect.poll(() => connectionsOf(server)).toBe(30);
    for (const { client } of flooding) client.write(get('/').repeat(500));
    await expect.poll(() => ended).toBeGreaterThan(20);
    expect(most).toBeLessThanOrEqual(2);
  });
});
