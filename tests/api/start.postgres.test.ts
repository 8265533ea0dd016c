import { Client } from 'pg';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, TOKEN_SECRET } from '../engine.ts';
import { hasPgBouncer, startPgBouncer } from '../postgres/pgbouncer.ts';
import { startPooler } from '../postgres/pooler.ts';
import { spawnServer, temporaryFolder } from './spawn.ts';

/**
 * Start on PostgreSQL: errors are reported in one line without a password, with exit code 78 if a restart
 * cannot succeed; several processes may start at the same time.
 */
async function failToStart(environment: Record<string, string>, exitCode = 78): Promise<string> {
  await using folder = await temporaryFolder();
  const settings = { DATA_DIR: folder.path, TOKEN_SECRET, LOG_LEVEL: 'warn', ...environment };
  const { code, stdout, stderr } = await spawnServer(settings).ended;
  expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([exitCode, '', 1]);
  expect(stderr).not.toContain('geheim');
  expect(stderr).toMatch(/。墨页没能启动：\p{Script=Han}/u);
  return stderr;
}

test('DATABASE_URL without TOKEN_SECRET is refused with one line that names both', () => {
  const read = () => readConfig({ DATABASE_URL: 'postgres://me:geheim@localhost/moye' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/^TOKEN_SECRET must be set together with DATABASE_URL[^\n]*$/);
});

test('an unreachable server', async () => {
  const line = await failToStart({ DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/blog' }, 1);
  expect(line).toMatch(/^moye: cannot use PostgreSQL database blog at 127\.0\.0\.1:1: .*ECONNREFUSED/);
});

test('an unknown host name', async () => {
  const line = await failToStart({ DATABASE_URL: 'postgres://me:geheim@nowhere.invalid/blog' }, 1);
  expect(line).toMatch(/^moye: cannot use PostgreSQL database blog at nowhere\.invalid:5432: /);
});

test('an account, a database and a connection mode that the server does not have', async () => {
  await using storage = await createStorage('');
  const url = new URL(storage.settings['DATABASE_URL'] ?? '');
  const changed = (change: Partial<URL>) => Object.assign(new URL(url), change).href;
  expect(await failToStart({ DATABASE_URL: changed({ pathname: '/nothing' }) })).toContain(
    '"nothing" does not exist',
  );
  const nobody = await failToStart({
    DATABASE_URL: changed({ username: 'nobody_at_all', password: 'geheim' }),
  });
  expect(nobody).toContain('nobody_at_all');
  const plain = await failToStart({ DATABASE_URL: `${url.href}?sslmode=require` });
  expect(plain).toMatch(/does not support SSL.*没有开启加密/);
  const certificate = await failToStart({
    DATABASE_URL: `${url.href}?sslmode=verify-full&sslrootcert=/nonexistent/ca.crt`,
  });
  expect(certificate).toMatch(/\/nonexistent\/ca\.crt.*读不了数据库地址里 sslrootcert/);
});

test.for([
  ['simulated', startPooler],
  ['PgBouncer', startPgBouncer],
] as const)(
  'a pooler that shares sessions between transactions is refused, one that keeps them is not: %s',
  { tags: ['long'] },
  async ([, start], { skip }) => {
    skip(start === startPgBouncer && !hasPgBouncer, 'PgBouncer is not installed');
    await using folder = await temporaryFolder();
    await using storage = await createStorage(folder.path);
    const url = storage.settings['DATABASE_URL'] ?? '';
    await using shared = await start(url, 'transaction');
    expect(await failToStart({ DATABASE_URL: shared.url })).toMatch(
      /^moye: cannot use PostgreSQL database .*: a connection pooler .*pool_mode = session/,
    );
    await using kept = await start(url, 'session');
    const server = spawnServer({ ...storage.settings, DATABASE_URL: kept.url, LOG_LEVEL: 'warn' });
    expect((await fetch(`${await server.url}/healthz`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  },
);

test('a database that is read-only', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  const url = new URL(storage.settings['DATABASE_URL'] ?? '');
  await storage.rows(`alter database ${url.pathname.slice(1)} set default_transaction_read_only = on`);
  expect(await failToStart(storage.settings, 1)).toMatch(/^moye: cannot use PostgreSQL .* read-only/);
});

test('a read replica of a database that does not flush its commits', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  const { DATABASE_URL: url = '' } = storage.settings;
  const unflushed = `${url}?options=-c%20synchronous_commit%3Doff`;
  const settings = { ...storage.settings, DATABASE_URL: unflushed, DATABASE_READ_URL: url };
  expect(await failToStart(settings)).toMatch(/^moye: cannot use PostgreSQL .*synchronous_commit is off/);
});

test('a database of a newer version is left alone', async () => {
  await using storage = await createStorage('');
  const client = new Client(storage.settings['DATABASE_URL']);
  await client.connect();
  await client.query('update schema_version set version = 999');
  await client.end();
  expect(await failToStart(storage.settings)).toMatch(/^moye: .*999/);
  expect(await storage.count('select version from schema_version')).toBe(999);
});

test(
  'three processes started at once on an empty database share one schema and one set of guides',
  { tags: ['long'] },
  async () => {
    await using folder = await temporaryFolder();
    await using storage = await createStorage(folder.path, { isEmpty: true });
    const servers = Array.from({ length: 3 }, () => spawnServer({ ...storage.settings, LOG_LEVEL: 'warn' }));
    for (const server of servers) {
      const response = await fetch(`${await server.url}/home`);
      expect(response.status).toBe(200);
    }
    expect(await storage.count('select count(*) from schema_version')).toBe(1);
    expect(await storage.count('select count(*) from users')).toBe(1);
    // The first process may still be publishing the guides while the others already listen.
    await expect.poll(() => storage.count('select count(*) from articles')).toBe(3);
    expect(await storage.count('select count(distinct title) from articles')).toBe(3);
    for (const { child, ended } of servers) {
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
    }
  },
);
