import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignSites } from '../tests/foreign-sites.ts';
import { familyOf, readProc } from './process-tree.ts';
import type { Row } from './stats.ts';

const ARTICLES = 10_000;
const LOOK_MS = 100;
const RUN = fileURLToPath(new URL('../tools/run.mjs', import.meta.url));

/**
 * Section `imports`: time and memory of an import of 10,000 articles, run by the command as `npm run moye`
 * runs it.
 */
export async function benchImports(data: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [product, write] of Object.entries(foreignSites)) {
    const folder = join(data, 'imports', product);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const path = await write(folder, ARTICLES);
    const { peakMb, seconds, output } = await runImport(product, path, join(folder, 'data'));
    rmSync(folder, { recursive: true });
    const taken = Number(/文章 {2}新增 (\d+)/.exec(output)?.[1]);
    if (taken !== ARTICLES) throw new Error(`${product}: ${output}`);
    const what = `${ARTICLES} articles of ${product}`;
    rows.push(
      { what: `${what}: peak memory`, ...single(peakMb), unit: 'MB', goal: { atMost: 300 } },
      { what: `${what}: articles per second`, ...single(ARTICLES / seconds), unit: 'articles/s' },
    );
  }
  return rows;
}

const single = (value: number): Pick<Row, 'ratio' | 'spread'> => ({ ratio: value, spread: [value, value] });

/** Runs the command until it exits. The kernel keeps the peak resident size of a process (proc(5), VmHWM). */
async function runImport(product: string, path: string, dataDir: string) {
  const started = performance.now();
  const command = [RUN, 'moye', 'import', product, path];
  const child = spawn(process.execPath, command, { env: { ...process.env, DATA_DIR: dataDir } });
  let peakMb = 0;
  const timer = setInterval(
    () => (peakMb = Math.max(peakMb, ...familyOf(child.pid ?? 0).map(peakOf))),
    LOOK_MS,
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  await once(child, 'close');
  clearInterval(timer);
  return { peakMb, seconds: (performance.now() - started) / 1000, output };
}

const peakOf = (pid: number): number =>
  (Number(/VmHWM:\s+(\d+) kB/.exec(readProc(`${pid}/status`))?.[1] ?? 0) * 1024) / 1e6;
