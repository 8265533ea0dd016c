import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, TOKEN_SECRET, type TestStorage } from '../engine.ts';

const MAIN = fileURLToPath(new URL('../../src/lib/server/main.ts', import.meta.url));

/** Exit status and output of a server process. */
interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A server in a separate process, as `npm start` runs it. */
export interface ServerProcess {
  child: ChildProcess;
  /** URL of the server; rejects with its output when it exits before it listens. */
  url: Promise<string>;
  ended: Promise<Ended>;
}

/**
 * Starts the server with only these settings, those a process needs, and the compile cache that `npm start`
 * sets. Rate limits are off by default.
 * @param program Node and the server's entry, of another copy of the project
 */
export function spawnServer(
  environment: Record<string, string>,
  [node, main]: readonly [node: string, main: string] = [process.execPath, MAIN],
): ServerProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', RATE_LIMIT: 'off', ...environment };
  const child = spawn(node, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  let listening: (url: string) => void = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
    const url = /listening on (http:\S+)\n/.exec(output.stdout)?.[1];
    if (url) listening(url);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, ...output })),
  );
  const url = new Promise<string>((resolve, reject) => {
    listening = resolve;
    void ended.then((end) => reject(new Error(`ended before it listened: ${JSON.stringify(end)}`)));
  });
  // Callers that only wait for the exit do not handle this rejection.
  url.catch(() => {});
  return { child, url, ended };
}

/**
 * Adds an account to a site without any. A server publishes no guide articles there, which takes longer than
 * the rest of its first start.
 */
export async function makeSite({ settings }: Pick<TestStorage, 'settings'>): Promise<void> {
  const app = await createApp(readConfig({ LOG_LEVEL: 'silent', ...settings }));
  const { auth, users } = app.services;
  if ((await users.statistics()).userNum === 0)
    await auth.addUser({ username: '先行', password: '松风吹解带，山月照弹琴', gender: 'x', bio: '' });
  await app.close();
}

/** A temporary folder that `await using` deletes. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'moye-process-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Servers of one site as they run behind a proxy. */
export interface SpawnedSite {
  folder: string;
  nodes: ServerProcess[];
  close(): Promise<void>;
}

/** Starts `count` servers of a new site, which trust one proxy and share a storage. */
export async function spawnSite(count: number, settings: Record<string, string> = {}): Promise<SpawnedSite> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const storage = await createStorage(dataDir);
  const environment = {
    ...storage.settings,
    DATA_DIR: dataDir,
    TOKEN_SECRET,
    TRUST_PROXY: '1',
    RATE_LIMIT: 'on',
    LOG_LEVEL: 'error',
    ...settings,
  };
  await makeSite({ settings: environment });
  const nodes = Array.from({ length: count }, () => spawnServer(environment));
  return {
    folder: folder.path,
    nodes,
    async close() {
      for (const { child, ended } of nodes) {
        child.kill('SIGTERM');
        await ended;
      }
      await storage.remove();
      await folder[Symbol.asyncDispose]();
    },
  };
}
