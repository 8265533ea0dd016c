import { expect, test } from 'vitest';
import { misplacedIn } from '../../../tools/edge.mjs';
import { listFiles } from '../project/source-files.ts';

const PLACED = [
  '/p/src/fetch.ts',
  '/p/src/lib/edge/edge.ts',
  '/p/node_modules/zod/index.js',
  '/p/node_modules/hono/dist/index.js',
  'chunks/pages.mjs',
];
const SHARED = ['http/http', 'config/config', 'storage/storage', 'storage/data-folder', 'shared/quota-rules'];
const NODE = [...SHARED.map((name) => `/p/src/lib/server/${name}.ts`), 'node:http'];

test('the named modules of the server exist', () => {
  const files = listFiles('src/lib/server');
  for (const name of SHARED) expect(files).toContain(`src/lib/server/${name}.ts`);
});

test('an edge build may contain pages, the contract, and for Node the server', () => {
  expect(misplacedIn(PLACED, 'cloudflare')).toEqual([]);
  expect(misplacedIn([...PLACED, 'node:process'], 'vercel')).toEqual([]);
  expect(misplacedIn([...PLACED, ...NODE], 'node')).toEqual([]);
});

test.each([
  '/p/src/lib/server/app.ts',
  '/p/src/lib/server/db/sqlite/sqlite.ts',
  '/p/src/lib/server/storage/s3-client.ts',
  '/p/src/lib/server/auth/passwords.ts',
  '/p/src/lib/importers/import-command.ts',
  '/p/node_modules/kysely/dist/index.js',
  '/p/node_modules/socket.io/dist/index.js',
  '/p/node_modules/@node-rs/argon2/index.js',
  'pg',
  'sharp',
  'node:sqlite',
  'node:worker_threads',
])('a build with %s in it fails', (module) => {
  expect(misplacedIn([...PLACED, module], 'node')).toEqual([module]);
});

test.each(NODE)('a worker with %s in it fails', (module) => {
  expect(misplacedIn([module], 'cloudflare')).toEqual([module]);
});
