import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { OPTIONAL_CALLS } from '../../src/lib/contract/calls/calls.ts';

/** Kind of front: the worker in workerd, as `wrangler dev` runs it, or the server for Node. */
export type FrontKind = 'cloudflare' | 'node';

export interface Front {
  url: string;
  close(): Promise<void>;
}

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const READY_MS = 60_000;
const LOOK_MS = 50;

/**
 * Starts a front that tests/edge/setup.ts has built.
 * @param port port to listen on; the API must know it before the front starts
 * @param settings environment variables, including `API_ORIGIN`
 */
export async function openFront(
  kind: FrontKind,
  port: number,
  settings: Record<string, string>,
): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), 'moye-front-'));
  const url = `http://127.0.0.1:${port}`;
  const child = kind === 'node' ? startNode(port, settings) : startWorker(port, settings, folder);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  const deadline = Date.now() + READY_MS;
  // A page that needs no API.
  while (!(await fetch(`${url}/lab/cup`).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`no front at ${url}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Calls that an API by another implementation does not have. */
export const MISSING_CALLS = OPTIONAL_CALLS.join(' ');

/**
 * Waits until the front knows which calls its API lacks. The front asks with a timeout of a second, and asks
 * again after a quarter of a minute.
 */
export function knowsMissingCalls(front: Front, missing = MISSING_CALLS): Promise<void> {
  return vi.waitFor(
    async () => {
      // A page that is never cached.
      const page = await (await fetch(`${front.url}/signin`)).text();
      if (!page.includes(`data-missing-calls="${missing}"`))
        throw new Error('the front does not know its API yet');
    },
    { timeout: READY_MS, interval: LOOK_MS },
  );
}

function startNode(port: number, settings: Record<string, string>) {
  const env = { PATH: process.env['PATH'], ...settings, PORT: String(port) };
  return spawn(process.execPath, [inRoot('dist-edge/node/server/entry.mjs')], { env });
}

function startWorker(port: number, settings: Record<string, string>, folder: string) {
  const variables = Object.entries(settings).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  const options = ['--config', 'wrangler.json', '--ip', '127.0.0.1', '--port', String(port)];
  const quiet = ['--inspector-port', '0', '--persist-to', folder, '--show-interactive-dev-session=false'];
  const wrangler = inRoot('node_modules/wrangler/bin/wrangler.js');
  const args = [wrangler, 'dev', ...options, ...quiet, ...variables];
  // Disables telemetry, and stores all files in the temporary folder.
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    WRANGLER_LOG_PATH: folder,
    CI: '1',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  };
  return spawn(process.execPath, args, { env, cwd: inRoot('dist-edge/cloudflare/server') });
}
