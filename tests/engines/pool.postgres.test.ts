import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  createPostgresPool,
  LostConnection,
  type PostgresPool,
} from '../../src/lib/server/db/postgres-pool.ts';
import { StorageUnavailableError } from '../../src/lib/server/storage.ts';

/** Servers that are not what they should be: nobody waits long for them, and the process outlives them. */
let server: Server;
let pool: PostgresPool;
const warnings: unknown[] = [];
const log = { info: () => {}, warn: (fields: unknown) => void warnings.push(fields) };
afterEach(async () => {
  await pool?.close();
  server?.close();
});

async function openPool(serve: (socket: Socket) => void): Promise<void> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  pool = createPostgresPool(`postgres://me:secret@127.0.0.1:${port}/moye`, 4, log);
}

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const FAREWELL = message('E', Buffer.from('SFATAL\0C57P01\0Mgoing away\0\0'));

test('a session that ends in the packet that opens it is a lost connection, not the end of the process', async () => {
  await openPool((socket) => socket.once('data', () => socket.end(Buffer.concat([WELCOME, FAREWELL]))));
  for (const kind of ['readers', 'writer'] as const) {
    const session = await pool.acquire(kind);
    await expect(session.run('select 1', [], 1000)).rejects.toBeInstanceOf(LostConnection);
    session.release();
  }
});

test('a server that takes connections and says nothing is waited for once, then refused at once', async () => {
  const sockets: Socket[] = [];
  await openPool((socket) => void sockets.push(socket));
  await expect(pool.acquire('readers')).rejects.toBeInstanceOf(StorageUnavailableError);
  expect(pool.isReachable()).toBe(false);
  const before = sockets.length;
  for (let round = 0; round < 100; round++)
    await expect(pool.acquire('writer')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 2 });
  // Only the probe has knocked meanwhile.
  expect(sockets.length - before).toBeLessThanOrEqual(1);
  expect(JSON.stringify(warnings)).not.toContain('secret');
  for (const socket of sockets) socket.destroy();
});

test('something that is no PostgreSQL at all', async () => {
  await openPool((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await expect(pool.acquire('readers')).rejects.toBeInstanceOf(StorageUnavailableError);
});
