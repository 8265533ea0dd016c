import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hashFiles, inputs, needsBuild } from '../../tools/build.mjs';
import { buildEdge, weigh } from '../../tools/build-edge.mjs';
import { adapters } from '../../tools/edge-adapters.mjs';
import { inRoot, root } from '../../tools/project.mjs';

/** An origin without an API; fronts get the real one when they start. */
export const NO_API = 'http://127.0.0.1:9';
const STAMP = inRoot('dist-edge', '.tested-from');

/** Builds every front once, if its sources have changed since the last build. */
export default async function setup(): Promise<void> {
  const hash = hashFiles(root, [
    ...inputs,
    'tools/build-edge.mjs',
    'tools/edge-adapters.mjs',
    'tools/wrangler.json',
  ]);
  if (needsBuild(hash, readStamp())) {
    rmSync(STAMP, { force: true });
    for (const adapter of adapters)
      await buildEdge(['--adapter', adapter], { ...process.env, API_ORIGIN: NO_API });
    mkdirSync(inRoot('dist-edge'), { recursive: true });
    writeFileSync(STAMP, `${hash}\n`);
  }
  const { bytes, packed } = weigh('cloudflare');
  process.stdout.write(`size of the worker: ${bytes} bytes, ${packed} gzip\n`);
}

function readStamp(): string | null {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return null;
  }
}
