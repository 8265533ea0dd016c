import { CommanderError } from 'commander';
import { explain, isClear } from './explain.ts';
import { createProgram, describeMistake } from './program.ts';

/**
 * Entry of the command line, `npm run moye -- <command>`. Uses the server's settings and storage, and can run
 * alongside a server. Exits with 0 on success, and with 1 and a line on standard error on failure.
 */
const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  const isMistake = error instanceof CommanderError;
  const text = isMistake ? describeMistake(error, program, process.argv.slice(2)) : describeError(error);
  if (text !== null) process.stderr.write(`moye：${text.trimEnd()}\n`);
  process.exitCode = isMistake ? error.exitCode : 1;
}

function describeError(error: unknown): string {
  return error instanceof Error && !isClear(error) ? (error.stack ?? error.message) : explain(error);
}
