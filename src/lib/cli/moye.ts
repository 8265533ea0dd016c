import { CommanderError } from 'commander';
import { explain, isClear } from './explain.ts';
import { createProgram, describeMistake } from './program.ts';

/**
 * The command line, `npm run moye -- <command>`, on the storage of DESIGN.md §7, also beside a server. Exits
 * 0 when the command did its work, 1 with a line on standard error when it did not.
 */
const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  const isMistake = error instanceof CommanderError;
  const text = isMistake ? describeMistake(error, program, process.argv.slice(2)) : tell(error);
  if (text !== null) process.stderr.write(`moye：${text.trimEnd()}\n`);
  process.exitCode = isMistake ? error.exitCode : 1;
}

/** One line for what an operator can mend; the whole story for the rest. */
function tell(error: unknown): string {
  return error instanceof Error && !isClear(error) ? (error.stack ?? error.message) : explain(error);
}
