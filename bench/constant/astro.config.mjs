import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import { defineConfig, memoryCache } from 'astro/config';

const caching =
  process.env['MEMORY_CACHE'] === 'on'
    ? { cache: { provider: memoryCache() }, routeRules: { '/': { maxAge: 86_400, tags: ['page'] } } }
    : {};

/**
 * A site of one page that prints a constant. It is the fastest page Astro can serve, and the reference for
 * this project's pages.
 */
export default defineConfig({
  ...caching,
  root: fileURLToPath(new URL('.', import.meta.url)),
  outDir: process.env['DIST'] ?? 'dist/plain',
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  session: false,
});
