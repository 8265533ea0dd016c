import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestStorage } from '../engine.ts';
import { siteOf } from './import-stage.ts';

const ENTRY = fileURLToPath(new URL('../../src/lib/cli/moye.ts', import.meta.url));

/** Starts the command line in a process of its own, on the site of that storage. */
export function startMoye(
  storage: Pick<TestStorage, 'settings'>,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): ChildProcess {
  const env = { ...process.env, ...siteOf(storage), ...environment };
  return spawn(process.execPath, [ENTRY, ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs a command to its end. */
export async function runMoye(
  storage: Pick<TestStorage, 'settings'>,
  words: readonly string[],
  { input = '', environment = {} }: { input?: string; environment?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number; output: string; errors: string }> {
  const child = startMoye(storage, words, environment);
  const [output, errors] = [child.stdout, child.stderr].map(async (stream) => {
    let text = '';
    for await (const chunk of stream ?? []) text += String(chunk);
    return text;
  });
  child.stdin?.end(input);
  const [code] = (await once(child, 'exit')) as [number];
  return { code, output: (await output) ?? '', errors: (await errors) ?? '' };
}
