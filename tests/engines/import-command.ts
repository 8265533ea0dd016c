import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';
import { run } from '../../src/lib/cli/program.ts';
import type { TestStorage } from '../engine.ts';
import { siteOf } from './import-stage.ts';

const ENTRY = fileURLToPath(new URL('../../src/lib/cli/moye.ts', import.meta.url));

interface Options {
  /** Text on standard input. */
  input?: string;
  environment?: NodeJS.ProcessEnv;
  /** Maximum bytes per file; writing more fails as on a full disk. */
  largestFile?: number;
}

interface Ran {
  code: number;
  output: string;
  errors: string;
}

type Site = Pick<TestStorage, 'settings'>;

/** Starts the command line in a separate process, for the site on that storage. */
export function startMoye(
  storage: Site,
  words: readonly string[],
  { environment = {}, largestFile }: Options = {},
): ChildProcess {
  const env = { ...process.env, ...siteOf(storage), ...environment };
  const command = [process.execPath, ENTRY, ...words];
  // `ulimit -f` counts blocks of 512 bytes.
  const limited = `trap '' XFSZ; ulimit -f ${Math.ceil((largestFile ?? 0) / 512)}; exec "$0" "$@"`;
  const [program = '', ...rest] = largestFile === undefined ? command : ['sh', '-c', limited, ...command];
  return spawn(program, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs a command in a separate process until it exits. */
export async function spawnMoye(
  storage: Site,
  words: readonly string[],
  options: Options = {},
): Promise<Ran> {
  const child = startMoye(storage, words, options);
  const [output, errors] = [child.stdout, child.stderr].map(async (stream) => {
    let text = '';
    for await (const chunk of stream ?? []) text += String(chunk);
    return text;
  });
  child.stdin?.end(options.input);
  const [code] = (await once(child, 'exit')) as [number];
  return { code, output: (await output) ?? '', errors: (await errors) ?? '' };
}

let isRunning = false;

/**
 * Runs a command to its end in this process, which has the modules already: a separate one loads them for a
 * second. Commands use the process's streams and environment, so they run one at a time.
 */
export async function runMoye(
  storage: Site,
  words: readonly string[],
  { input = '', environment = {} }: Omit<Options, 'largestFile'> = {},
): Promise<Ran> {
  if (isRunning) throw new Error('a command is running in this process: use spawnMoye');
  isRunning = true;
  const texts = { output: '', errors: '' };
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((texts.output += String(text)), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((texts.errors += String(text)), true)),
    vi.spyOn(console, 'log').mockImplementation((...line) => void (texts.output += `${format(...line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...line) => void (texts.errors += `${format(...line)}\n`)),
  ];
  const before = { ...process.env };
  for (const [name, value] of Object.entries({ ...siteOf(storage), ...environment }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  try {
    await run(words);
    return { code: Number(process.exitCode ?? 0), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    process.exitCode = undefined;
    isRunning = false;
  }
}
