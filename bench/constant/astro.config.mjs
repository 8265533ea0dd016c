import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import { defineConfig, memoryCache } from 'astro/config';

/** As Astro's documentation says it is switched on. */
const caching =
  process.env['MEMORY_CACHE'] === 'on'
    ? { cache: { provider: memoryCache() }, routeRules: { '/': { maxAge: 86_400, tags: ['page'] } } }
    : {};

/** A site of one page that prints a constant: the fastest Astro can be, to measure our pages against. */
export default defineConfig({
  ...caching,
  root: fileURLToPath(new URL('.', import.meta.url)),
  outDir: process.env['DIST'] ?? 'dist/plain',
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  session: false,
});
