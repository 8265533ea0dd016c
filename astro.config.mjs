import { fileURLToPath } from 'node:url';
import { defineConfig, logHandlers } from 'astro/config';
import { SPECULATION_RULES_HASH } from './src/layouts/speculation-rules.ts';
import { THEME_SCRIPT_HASH } from './src/layouts/theme-script.ts';
import { sheets } from './tools/sheets.mjs';

/**
 * Our own adapter: the pages become a module that the server of src/lib/server/start.ts calls with each request, so that nothing
 * stands between its sockets and src/fetch.ts.
 */
/** @type {import('astro').AstroIntegration} */
const embedded = {
  name: 'moye-embedded',
  hooks: {
    'astro:config:done': ({ setAdapter }) =>
      setAdapter({
        name: 'moye-embedded',
        entrypointResolution: 'auto',
        serverEntrypoint: new URL('./src/lib/server/pages-entry.ts', import.meta.url),
        adapterFeatures: { buildOutput: 'server' },
        supportedAstroFeatures: {
          serverOutput: 'stable',
          staticOutput: 'unsupported',
          hybridOutput: 'unsupported',
          sharpImageService: 'stable',
        },
      }),
  },
};

/** Islands: React in the browser alone, woken by `client:wake` (docs/decisions/0006-islands.md). */
/** @type {import('astro').AstroIntegration} */
const islands = {
  name: 'moye-islands',
  hooks: {
    'astro:config:setup': ({ addRenderer, addClientDirective }) => {
      addRenderer({
        name: 'moye-islands',
        serverEntrypoint: '/src/islands/renderer/server.ts',
        clientEntrypoint: '/src/islands/renderer/client.tsx',
      });
      addClientDirective({ name: 'wake', entrypoint: './src/islands/wake.ts' });
    },
  },
};

const ENTITIES = 'decode-named-character-reference';

// In production Astro speaks up only about errors, in lines like the server's own: it warns on every start that src/fetch.ts calls
// neither actions() nor middleware(), of which there are none.
const logger = process.argv.includes('build') ? { logger: logHandlers.json({ level: 'error' }) } : {};

export default defineConfig({
  ...logger,
  output: 'server',
  integrations: [islands],
  adapter: embedded,
  compressHTML: true,
  // Articles are rendered by src/lib/markdown; Astro's own markdown is not used and its highlighter's styles would break the CSP.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  server: { host: '127.0.0.1', port: 4321 },
  build: { inlineStylesheets: 'never', assets: '_assets' },
  vite: {
    plugins: [sheets()],
    // Workers load parts on demand too: the preview's grammars, one for each language.
    worker: { format: 'es' },
    // For browsers it comes in a form that asks the document, which workers do not have.
    resolve: { alias: { [ENTITIES]: fileURLToPath(import.meta.resolve(ENTITIES)) } },
  },
  security: {
    // It answers 403 text/plain before anything of ours (SECURITY.md, "Astro 7 facts"); the API checks origins itself.
    checkOrigin: false,
    csp: {
      scriptDirective: { hashes: [THEME_SCRIPT_HASH, SPECULATION_RULES_HASH] },
      directives: [
        "default-src 'self'",
        // Articles may show pictures from anywhere that encrypts.
        "img-src 'self' data: https:",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ],
    },
  },
});
