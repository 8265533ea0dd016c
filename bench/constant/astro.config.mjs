import { fileURLToPath } from 'node:url';
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
  adapter: {
    name: 'constant',
    hooks: {
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name: 'constant',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('./entry.ts', import.meta.url),
          adapterFeatures: { buildOutput: 'server' },
          supportedAstroFeatures: { serverOutput: 'stable', sharpImageService: 'stable' },
        }),
    },
  },
});
