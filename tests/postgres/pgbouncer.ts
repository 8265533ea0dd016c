import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import type { Pooler } from './pooler.ts';

const BINARY = '/usr/sbin/pgbouncer';

/** Whether PgBouncer is installed (Debian: `pgbouncer`). */
export const hasPgBouncer = existsSync(BINARY);

/** Starts PgBouncer for the server at `url`, which must accept connections without a password. */
export async function startPgBouncer(url: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const upstream = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'moye-pgbouncer-'));
  // PgBouncer refuses to run as root, so another user reads these files.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${upstream.username}" ""\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${upstream.hostname} port=${upstream.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
`,
  );
  const child = spawn(BINARY, ['--user=nobody', settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.once('error', reject).once('exit', () => reject(new Error(`PgBouncer ended: ${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('process up')) resolve();
    });
  });
  const own = new URL(url);
  own.port = String(port);
  return {
    url: own.href,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.removeAllListeners('exit').once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
