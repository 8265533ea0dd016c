import { fileURLToPath } from 'node:url';
import { defineConfig } from 'astro/config';

/** A site of one page that prints a constant: the fastest Astro can be, to measure our pages against. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
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
