import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hashFiles, inputs, needsBuild } from '../../tools/build.mjs';
import { buildEdge, weigh } from '../../tools/build-edge.mjs';
import { adapters } from '../../tools/edge-adapters.mjs';
import { inRoot, root } from '../../tools/project.mjs';

/** An origin without an API; fronts get the real one when they start. */
export const NO_API = 'http://127.0.0.1:9';
/** Adapters whose fronts `npm test` starts; the others are built for `npm run test:long`. */
const STARTED: readonly string[] = ['cloudflare', 'node'];
const stampOf = (adapter: string) => inRoot('dist-edge', `.tested-${adapter}`);

/** Builds each front that the selected tests start, if its sources have changed since its last build. */
export default async function setup(): Promise<void> {
  const hash = hashFiles(root, [
    ...inputs,
    'tools/build-edge.mjs',
    'tools/edge-adapters.mjs',
    'tools/wrangler.json',
  ]);
  const isShort = process.env['TEST_PART'] === 'short';
  for (const adapter of adapters.filter((name) => !isShort || STARTED.includes(name))) {
    const stamp = stampOf(adapter);
    if (!needsBuild(hash, readStamp(stamp))) continue;
    rmSync(stamp, { force: true });
    await buildEdge(['--adapter', adapter], { ...process.env, API_ORIGIN: NO_API });
    mkdirSync(inRoot('dist-edge'), { recursive: true });
    writeFileSync(stamp, `${hash}\n`);
  }
  const { bytes, packed } = weigh('cloudflare');
  process.stdout.write(`size of the worker: ${bytes} bytes, ${packed} gzip\n`);
}

function readStamp(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
