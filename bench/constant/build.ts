import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serve, type Served } from '../processes.ts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const ASTRO = fileURLToPath(new URL('../../node_modules/astro/bin/astro.mjs', import.meta.url));

/**
 * Builds and starts the constant page, which prints the file `body`; `cached` serves it from Astro's
 * memoryCache.
 */
export async function serveConstant(body: string, { cached = false } = {}): Promise<Served> {
  const dist = cached ? 'dist/cached' : 'dist/plain';
  const own = { DIST: dist, MEMORY_CACHE: cached ? 'on' : '', ASTRO_TELEMETRY_DISABLED: '1' };
  execFileSync(process.execPath, [ASTRO, 'build', '--root', ROOT], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return serve(`${ROOT}serve.ts`, { BODY: body, DIST: dist }, '/');
}
