import { run } from './program.ts';

/** Entry of the command line, `npm run moye -- <command>`. Exits with 0 on success, and with 1 on failure. */
await run(process.argv.slice(2));
