import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf, familyOf, memoryOfTree, readProc } from './process-tree.ts';

const LOOK_MS = 100;

/** Entry of `npm run moye -- …`, without npm. */
export const RUN = fileURLToPath(new URL('../tools/run.mjs', import.meta.url));

export type Measured = Awaited<ReturnType<typeof measure>>;

/**
 * Runs a command until it exits. `peakMb` is the largest resident size of one process, which the kernel keeps
 * (proc(5), VmHWM); `treeMb` that of all processes together.
 */
export async function measure(command: readonly string[], env: Record<string, string>) {
  const started = performance.now();
  const child = spawn(process.execPath, command, { env: { ...process.env, ...env } });
  const pid = child.pid ?? 0;
  let [peakMb, treeMb, cpuSeconds] = [0, 0, 0];
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, ...familyOf(pid).map(peakOf));
    treeMb = Math.max(treeMb, memoryOfTree(pid).total);
    cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(pid));
  }, LOOK_MS);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  return { code, peakMb, treeMb, cpuSeconds, seconds: (performance.now() - started) / 1000, output };
}

const peakOf = (pid: number): number =>
  (Number(/VmHWM:\s+(\d+) kB/.exec(readProc(`${pid}/status`))?.[1] ?? 0) * 1024) / 1e6;
