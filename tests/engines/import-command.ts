import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestStorage } from '../engine.ts';
import { siteOf } from './import-stage.ts';

const ENTRY = fileURLToPath(new URL('../../src/lib/cli/moye.ts', import.meta.url));

/**
 * Starts the command line in a separate process, for the site on that storage.
 * @param largestFile maximum bytes per file; writing more fails as on a full disk
 */
export function startMoye(
  storage: Pick<TestStorage, 'settings'>,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  largestFile?: number,
): ChildProcess {
  const env = { ...process.env, ...siteOf(storage), ...environment };
  const command = [process.execPath, ENTRY, ...words];
  // `ulimit -f` counts blocks of 512 bytes.
  const limited = `trap '' XFSZ; ulimit -f ${Math.ceil((largestFile ?? 0) / 512)}; exec "$0" "$@"`;
  const [program = '', ...rest] = largestFile === undefined ? command : ['sh', '-c', limited, ...command];
  return spawn(program, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs a command until it exits. */
export async function runMoye(
  storage: Pick<TestStorage, 'settings'>,
  words: readonly string[],
  {
    input = '',
    environment = {},
    largestFile,
  }: { input?: string; environment?: NodeJS.ProcessEnv; largestFile?: number | undefined } = {},
): Promise<{ code: number; output: string; errors: string }> {
  const child = startMoye(storage, words, environment, largestFile);
  const [output, errors] = [child.stdout, child.stderr].map(async (stream) => {
    let text = '';
    for await (const chunk of stream ?? []) text += String(chunk);
    return text;
  });
  child.stdin?.end(input);
  const [code] = (await once(child, 'exit')) as [number];
  return { code, output: (await output) ?? '', errors: (await errors) ?? '' };
}
