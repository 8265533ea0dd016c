import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, inject, test } from 'vitest';
import {
  createPostgresPool,
  LostConnection,
  type PostgresPool,
} from '../../src/lib/server/db/postgres/postgres-pool.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { StorageUnavailableError } from '../../src/lib/server/storage/storage.ts';
import { createStorage } from '../engine.ts';
import { startPooler } from '../postgres/pooler.ts';

/** Faulty servers: calls must not wait long for them, and the process must survive them. */
let server: Server;
let opened: PostgresPool | undefined;
const warnings: unknown[] = [];
const log = { info: () => {}, warn: (fields: unknown) => void warnings.push(fields) };
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  server?.close();
});

async function openPool(serve: (socket: Socket) => void): Promise<PostgresPool> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (opened = createPostgresPool(`postgres://me:secret@127.0.0.1:${port}/moye`, 4, log));
}

/** Encodes a message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const FAREWELL = message('E', Buffer.from('SFATAL\0C57P01\0Mgoing away\0\0'));

test('a session that ends as it opens is a lost connection, not a crash', async () => {
  const pool = await openPool((socket) =>
    socket.once('data', () => socket.end(Buffer.concat([WELCOME, FAREWELL]))),
  );
  for (const kind of ['readers', 'writer'] as const) {
    const session = await pool.acquire(kind);
    await expect(session.run('select 1', [], 1000)).rejects.toBeInstanceOf(LostConnection);
    session.release();
  }
});

test('a silent server is waited for once, then refused at once', async () => {
  const sockets: Socket[] = [];
  const pool = await openPool((socket) => void sockets.push(socket));
  await expect(pool.acquire('readers')).rejects.toBeInstanceOf(StorageUnavailableError);
  expect(pool.isReachable()).toBe(false);
  const before = sockets.length;
  for (let round = 0; round < 100; round++)
    await expect(pool.acquire('writer')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 2 });
  // Only the probe has connected in the meantime.
  expect(sockets.length - before).toBeLessThanOrEqual(1);
  expect(JSON.stringify(warnings)).not.toContain('secret');
  for (const socket of sockets) socket.destroy();
});

test('limits and read-only sessions need no startup parameters, which poolers remove', async () => {
  await using storage = await createStorage('');
  await using pooler = await startPooler(storage.settings['DATABASE_URL'] ?? '', 'session');
  const settings = async (kind: 'readers' | 'writer' | 'counters', url = pooler.url) => {
    const own = createPostgresPool(url, 2, log);
    const session = await own.acquire(kind);
    const names = [
      'statement_timeout',
      'lock_timeout',
      'default_transaction_read_only',
      'synchronous_commit',
    ];
    const text = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`;
    const { rows } = await session.run(text, [], 5_000);
    session.release();
    await own.close();
    return Object.values(rows[0] as Record<string, string>);
  };
  expect(await settings('writer')).toEqual(['3s', '2500ms', 'off', 'on']);
  expect(await settings('readers')).toEqual(['3s', '2500ms', 'on', 'on']);
  expect(await settings('counters')).toEqual(['3s', '2500ms', 'off', 'off']);
  // Options in DATABASE_URL take precedence.
  const { url } = inject('postgres');
  expect(await settings('writer', `${url}?options=-c%20lock_timeout%3D1s`)).toEqual([
    '3s',
    '1s',
    'off',
    'on',
  ]);
});

test('a server that is not PostgreSQL', async () => {
  const pool = await openPool((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await expect(pool.acquire('readers')).rejects.toBeInstanceOf(StorageUnavailableError);
});

test('the documented URL of a socket reaches the database without an address', async ({ skip }) => {
  const storage = await createStorage('');
  try {
    const [server] = await storage.rows('show unix_socket_directories');
    const sockets = String(server?.['unix_socket_directories']);
    skip(!sockets.startsWith('/'), 'a server with other sockets was given');
    const { pathname, port, username } = new URL(storage.settings['DATABASE_URL'] ?? '');
    const url = `postgres://${pathname}?host=${sockets}&port=${port}&user=${username}`;
    const { databaseUrl } = readConfig({ DATABASE_URL: url, TOKEN_SECRET: 'a'.repeat(64) });
    opened = createPostgresPool(databaseUrl ?? '', 2, log);
    const session = await opened.acquire('writer');
    const { rows } = await session.run(
      'select current_database() as name, inet_server_addr() as address',
      [],
      5_000,
    );
    session.release();
    expect(rows).toEqual([{ name: pathname.slice(1), address: null }]);
  } finally {
    await storage.remove();
  }
});
