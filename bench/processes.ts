import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const START_MS = 60_000;
const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** A server under measurement. */
export interface Served {
  url: string;
  stop(): Promise<void>;
}

/** A port nobody listens on right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts `node script` on core 0, where the system can pin, and waits until `path` answers. */
export async function serve(script: string, env: Record<string, string>, path: string): Promise<Served> {
  const port = await freePort();
  const command = pinned(0, [process.execPath, script]);
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(child, url + path);
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** The command with its process kept on one core; unchanged where taskset is missing. */
export function pinned(core: number, command: readonly string[]): string[] {
  return hasTaskset ? ['taskset', '-c', String(core), ...command] : [...command];
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server for ${url} ended with ${child.exitCode}`);
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    await delay(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${url} did not answer within ${START_MS} ms`);
}

/** Requests a second that `url` answers with 200 over `connections`, measured for `seconds` from core 1. */
export async function throughput(url: string, connections: number, seconds: number): Promise<number> {
  const script = new URL('./load.ts', import.meta.url).pathname;
  const command = pinned(1, [process.execPath, script, url, String(connections), String(seconds)]);
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  const rate = Number(output);
  if (!(rate > 0)) throw new Error(`no rate measured for ${url}: ${output}`);
  return rate;
}
