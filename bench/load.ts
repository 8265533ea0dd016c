import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { has, output } from './processes.ts';
import { ratioOf, type Row } from './stats.ts';

export interface Load {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** Form body; makes the request a POST. */
  body?: string;
}

const AUTOCANNON = fileURLToPath(new URL('./autocannon.ts', import.meta.url));
const hasWrk = has('sh', '-c', 'command -v wrk');

export const LOADER = hasWrk ? 'wrk' : 'autocannon';

/** Returns the responses per second to `load`, sent from core 1; throws on any response but 200. */
export async function throughput(load: Load): Promise<number> {
  const text = hasWrk
    ? await wrk(load)
    : await output('load', [process.execPath, AUTOCANNON, JSON.stringify(load)]);
  const rate = Number(hasWrk ? /Requests\/sec:\s*([\d.]+)/.exec(text)?.[1] : text);
  // wrk exits with 0 even when requests failed.
  if (/Non-2xx|Socket errors/.test(text) || !(rate > 0)) throw new Error(`${load.url}: ${text}`);
  return rate;
}

async function wrk({ url, connections, seconds, headers = {}, body }: Load): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'moye-bench-'));
  const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'];
  for (const [name, value] of Object.entries(headers)) command.push('-H', `${name}: ${value}`);
  try {
    if (body !== undefined) {
      const script = join(folder, 'post.lua');
      const bytes = [...Buffer.from(body)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('');
      const form = `wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"`;
      writeFileSync(script, `wrk.method = "POST"\n${form}\nwrk.body = "${bytes}"\n`);
      command.push('-s', script);
    }
    return await output('load', [...command, url]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A server that `ours` is compared with, and its report row. */
export type Rival = Load & Omit<Row, 'ratio' | 'spread'>;

/**
 * Returns this product's rate divided by the rate of each rival. Each round runs all of them in turn; the
 * first round only warms them up.
 */
export async function race(ours: Load, rivals: readonly Rival[], rounds: number): Promise<Row[]> {
  const own: number[] = [];
  const theirs = rivals.map(({ url, connections, seconds, headers, body, ...row }) => ({
    load: { url, connections, seconds, ...(headers && { headers }), ...(body !== undefined && { body }) },
    row,
    rates: [] as number[],
  }));
  for (let round = 0; round <= rounds; round++) {
    const runs = [{ load: ours, rates: own }, ...theirs];
    for (const { load, rates } of runs) {
      const rate = await throughput(load);
      if (round > 0) rates.push(rate);
    }
  }
  return theirs.map(({ row, rates }) => ({ ...row, ...ratioOf(own, rates) }));
}
