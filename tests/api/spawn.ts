import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Starts the server with only these settings and those a process needs. Rate limits are off by default. */
export function spawnServer(environment: Record<string, string>): ServerProcess {
  const env = { PATH: process.env['PATH'], PORT: '0', RATE_LIMIT: 'off', ...environment };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** A temporary folder that `await using` deletes. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'moye-process-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
