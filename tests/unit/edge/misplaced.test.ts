import { expect, test } from 'vitest';
import { misplacedIn } from '../../../tools/edge.mjs';

const PLACED = [
  '/p/src/fetch.ts',
  '/p/src/lib/edge/edge.ts',
  '/p/node_modules/zod/index.js',
  '/p/node_modules/hono/dist/index.js',
  'chunks/pages.mjs',
];
const NODE = ['/p/src/lib/server/http.ts', '/p/src/lib/server/config.ts', 'node:http'];

test('an edge build may contain pages, the contract, and for Node the server', () => {
  expect(misplacedIn(PLACED, 'cloudflare')).toEqual([]);
  expect(misplacedIn([...PLACED, 'node:process'], 'vercel')).toEqual([]);
  expect(misplacedIn([...PLACED, ...NODE], 'node')).toEqual([]);
});

test.each([
  '/p/src/lib/server/app.ts',
  '/p/src/lib/server/db/sqlite.ts',
  '/p/src/lib/server/auth/passwords.ts',
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
