import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileCache, memorySettings } from '../tools/project.mjs';

const START_TIMEOUT_MS = 60_000;
const SERVER_CORE = 0;
const LOAD_CORE = 1;
const MAIN = fileURLToPath(new URL('../src/lib/server/main.ts', import.meta.url));

type Core = number | 'any';

export interface Served {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const hasTaskset = has('taskset', '--version');

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * Starts `node script` as a server (see `serveCommand`) with `HOST` and `PORT` in its environment; on a free
 * port unless `env` names one.
 */
export async function serve(
  script: string,
  env: Record<string, string>,
  path: string,
  core: Core = SERVER_CORE,
): Promise<Served> {
  const port = env['PORT'] ?? String(await freePort());
  // The same environment as `npm start`.
  const own = {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: compileCache(),
    HOST: '127.0.0.1',
    PORT: port,
  };
  return serveCommand([process.execPath, script], { ...own, ...env }, `http://127.0.0.1:${port}`, path, core);
}

/**
 * Starts the product on the database in `folder` as `npm start` does, but without rate limits, and waits for
 * `path`.
 */
export const serveProduct = (
  folder: string,
  env: Record<string, string> = {},
  path = '/healthz',
  core: Core = SERVER_CORE,
): Promise<Served> =>
  serve(MAIN, { ...memorySettings(), DATA_DIR: folder, RATE_LIMIT: 'off', ...env }, path, core);

/**
 * Starts `command`, pinned to core 0 unless `core` differs (where the system can pin), and waits until `url`
 * + `path` responds.
 */
export async function serveCommand(
  command: readonly string[],
  env: Record<string, string>,
  url: string,
  path = '/',
  core: Core = SERVER_CORE,
): Promise<Served> {
  const [program = '', ...args] = pinned(core, command);
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answering(child, url + path);
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/**
 * Wraps the command so its process is pinned to one core, or freed from the pinning of this process;
 * unchanged where taskset is missing.
 */
function pinned(core: Core, command: readonly string[]): string[] {
  const list = core === 'any' ? `0-${cpus().length - 1}` : String(core);
  return hasTaskset ? ['taskset', '-c', list, ...command] : [...command];
}

/** Pins this process, which sends the requests, to another core than the servers. */
export function keepOffServers(): void {
  if (hasTaskset) spawnSync('taskset', ['-apc', String(LOAD_CORE), String(process.pid)]);
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server for ${url} ended with ${child.exitCode}`);
    const isUp = await fetch(url).then(
      async (response) => (await response.arrayBuffer()) && response.ok,
      () => false,
    );
    if (isUp) return;
    await delay(5);
  }
  child.kill('SIGKILL');
  throw new Error(`${url} did not answer within ${START_TIMEOUT_MS} ms`);
}

/** Resident memory of a server's process in megabytes. */
export function memoryOf({ pid }: Served): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(stdout) * 1024) / 1e6;
}

/**
 * Runs `command` on the core of the load or of the servers and returns its output. Throws when the command
 * fails.
 */
export async function output(core: 'load' | 'server', command: readonly string[]): Promise<string> {
  const [program = '', ...args] = pinned(core === 'load' ? LOAD_CORE : SERVER_CORE, command);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${text}`);
  return text;
}

/** Lets this process, and its future children, use every core again. */
export function letLoose(): void {
  if (hasTaskset) spawnSync('taskset', ['-apc', `0-${cpus().length - 1}`, String(process.pid)]);
}

export async function stopAll(servers: readonly Served[]): Promise<void> {
  await Promise.allSettled(servers.map((server) => server.stop()));
}
