import { setFlagsFromString } from 'node:v8';

/** Entry point of `npm start`: sets V8's flags, then loads and runs the server. */

// By default V8 allocates objects in old space if most objects from the same code survived. While modules
// load, nearly everything survives. In 1 of 25 starts, V8 decided so for code that node:http runs for each
// request, and each request stayed until a major GC (docs/decisions/0070-memory.md). NODE_OPTIONS refuses
// this flag.
setFlagsFromString('--no-allocation-site-pretenuring');
await import('./run-server.ts');
