import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { hasSystemd, startSystemd, USER_ID, type Systemd } from './systemd.ts';

describe.skipIf(!hasSystemd)('deploy/moye.service under systemd', () => {
  let systemd: Systemd;
  let port: number;

  const state = () => systemd.show('ActiveState', 'Result', 'ExecMainStatus', 'NRestarts');
  const inData = (name: string) => join(systemd.root, 'var/lib/moye', name);
  /** Starts the unit with these settings, without memory of earlier failures. */
  function start(settings: Record<string, string> = {}): void {
    systemd.run('systemctl', 'stop', 'moye');
    systemd.run('systemctl', 'reset-failed', 'moye');
    const lines = Object.entries({ PORT: String(port), ...settings }).map((pair) => pair.join('='));
    writeFileSync(join(systemd.root, 'etc/moye.env'), `${lines.join('\n')}\n`);
    expect(systemd.run('systemctl', 'start', 'moye')).toEqual({ status: 0, output: '' });
  }
  const isHealthy = () =>
    eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200));

  beforeAll(async () => {
    systemd = await startSystemd();
    port = await freePort();
    start();
    await isHealthy();
  });
  afterAll(() => systemd?.[Symbol.asyncDispose]());

  test('the unit is valid where the document installs it', () => {
    expect(systemd.run('systemd-analyze', 'verify', '/run/systemd/system/moye.service')).toEqual({
      status: 0,
      output: '',
    });
  });

  test('serves pages, and root runs commands as its user', async () => {
    start();
    await isHealthy();
    expect((await fetch(`http://127.0.0.1:${port}/home`)).status).toBe(200);
    const { status, output } = systemd.run('/opt/moye/deploy/moye', 'user', 'list');
    expect([status, output]).toEqual([0, expect.stringContaining('墨页')]);
    expect(existsSync(inData('moye.sqlite'))).toBe(true);
  });

  test.each<[string, Record<string, string>, (() => () => void)?]>([
    ['a number', { PORT: 'eighty' }],
    ['an address', { SITE_URL: 'blog.example.com' }],
    ['a host', { HOST: 'no such host' }],
    ['an address of another machine', { HOST: '203.0.113.1' }],
    ['a port that only root may use', { PORT: '80' }],
    ['half of the mail settings', { SMTP_URL: 'smtp://127.0.0.1:25' }],
    ['PostgreSQL without a secret', { DATABASE_URL: 'postgres://moye@127.0.0.1/moye' }],
    ['a folder that the unit may not write to', { DATA_DIR: '/opt/data' }],
    ['a site file with a typing error', {}, () => written('site.json', '{"title": "纸上"')],
    ['a short secret', {}, () => written('token-secret', 'cut')],
    ['a database of a newer version', {}, () => withVersion(999)],
    [
      'a damaged database',
      { DATA_DIR: '/var/lib/moye/damaged' },
      () => written('damaged/moye.sqlite', 'no database, '.repeat(1000)),
    ],
  ])('a wrong setting ends in `failed`, without another start: %s', async (_, settings, prepare) => {
    systemd.run('systemctl', 'stop', 'moye');
    const mend = prepare?.();
    try {
      start(settings);
      await eventually(() => expect(state().ActiveState).toBe('failed'));
      expect(state()).toEqual({
        ActiveState: 'failed',
        Result: 'exit-code',
        ExecMainStatus: '78',
        NRestarts: '0',
      });
    } finally {
      mend?.();
    }
  });

  test('starts again once the setting is mended', async () => {
    start();
    await isHealthy();
    expect(state()).toMatchObject({ ActiveState: 'active', NRestarts: '0' });
  });

  test('a fault that may pass is tried again until it has passed', async () => {
    systemd.run('systemctl', 'stop', 'moye');
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    start();
    await eventually(() => expect(Number(state().NRestarts)).toBeGreaterThan(1));
    other.close();
    await isHealthy();
    expect(state()).toMatchObject({ ActiveState: 'active', Result: 'success' });
  });

  test.each(['SIGKILL', 'SIGSEGV'])('a server that ends by %s is started again', async (signal) => {
    start();
    await isHealthy();
    systemd.run('systemctl', 'kill', '--kill-whom=main', `--signal=${signal}`, 'moye');
    await eventually(() => expect(state().NRestarts).toBe('1'));
    await isHealthy();
    expect(state().ActiveState).toBe('active');
  });

  test('a stopped server has ended well and stays stopped', async () => {
    start();
    await isHealthy();
    expect(systemd.run('systemctl', 'stop', 'moye').status).toBe(0);
    expect(state()).toEqual({
      ActiveState: 'inactive',
      Result: 'success',
      ExecMainStatus: '0',
      NRestarts: '0',
    });
  });

  /** Writes a file into the folder of the data; the result removes it, or restores the former one. */
  function written(name: string, text: string): () => void {
    const file = inData(name);
    const former = existsSync(file) ? readFileSync(file) : null;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    for (const path of [dirname(file), file]) chownSync(path, USER_ID, USER_ID);
    return () => (former === null ? rmSync(file) : writeFileSync(file, former));
  }

  function withVersion(version: number): () => void {
    const change = (to: number): number => {
      const node = '/opt/moye/node_modules/node/bin/node';
      const { output } = systemd.run(node, '--eval', CHANGE_VERSION, String(to));
      return Number(output);
    };
    const former = change(version);
    expect(former).toBeGreaterThan(0);
    return () => void change(former);
  }
});

/** Prints the former version. SQLite itself opens no database below /proc/…/root. */
const CHANGE_VERSION = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync('/var/lib/moye/moye.sqlite');
  console.log(database.prepare('select version from schema_version').get().version);
  database.prepare('update schema_version set version = ?').run(Number(process.argv.at(-1)));`;
