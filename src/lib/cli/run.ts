import { CommanderError } from 'commander';
import { explain, isClear } from './explain.ts';
import { createProgram, describeMistake } from './program.ts';

/**
 * Runs one command of the command line with the server's settings and storage, also alongside a server.
 * @param words arguments, without the program's own two
 * @returns after the command; on failure, `process.exitCode` is set and standard error has a line about it
 */
export async function run(words: readonly string[]): Promise<void> {
  const program = createProgram();
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const isMistake = error instanceof CommanderError;
    const text = isMistake ? describeMistake(error, program, words) : describeError(error);
    if (text !== null) process.stderr.write(`moye：${text.trimEnd()}\n`);
    process.exitCode = isMistake ? error.exitCode : 1;
  }
}

function describeError(error: unknown): string {
  return error instanceof Error && !isClear(error) ? (error.stack ?? error.message) : explain(error);
}
