import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig, logHandlers } from 'astro/config';
import UnoCSS from 'unocss/astro';
import { PLAYER_ORIGINS } from './src/lib/markdown/players.ts';
import { THEME_SCRIPT } from './src/layouts/theme-script.ts';
import { edgeBackend, edgeConfig } from './tools/edge.mjs';
import { adapterOf } from './tools/edge-adapters.mjs';

/**
 * The directive `client:when` (src/islands/hydrate.ts).
 * @type {import('astro').AstroIntegration}
 */
const hydration = {
  name: 'moye-hydration',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({ name: 'when', entrypoint: './src/islands/hydrate.ts' }),
  },
};

/**
 * What the Content-Security-Policy allows a script by.
 * @param {string} script
 * @returns {`sha256-${string}`}
 */
const hashOf = (script) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

const ENTITIES = 'decode-named-character-reference';

// In production Astro speaks up only about errors, in lines like the server's own: it warns on every start
// that src/fetch.ts calls neither actions() nor middleware(), of which there are none.
const logger = process.argv.includes('build') ? { logger: logHandlers.json({ level: 'error' }) } : {};

const edge = adapterOf(process.env);

/** @type {import('astro').AstroUserConfig['build']} */
const build = { inlineStylesheets: 'never', assets: '_assets' };

export default defineConfig({
  ...logger,
  output: 'server',
  // A handler for the server of ours: src/lib/server/start.ts.
  adapter: node({ mode: 'middleware' }),
  // Sessions and Astro's own pictures are not used; adapters would bring some.
  session: false,
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  build,
  ...(edge ? await edgeConfig(edge, build) : {}),
  // src/layouts/Shell.astro imports its sheet, in one file with the styles of every page. Nothing rendered
  // here suspends: React answers in one piece, which makes a page in seven eighths of the time.
  integrations: [UnoCSS({ injectEntry: false }), react({ experimentalDisableStreaming: true }), hydration],
  compressHTML: true,
  // Articles are rendered by src/lib/markdown; Astro's own markdown is not used and its highlighter's styles
  // would break the CSP.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  // Of `npm run dev`; the built server reads them in src/lib/server/config.ts.
  server: { host: process.env['HOST'] || '127.0.0.1', port: Number(process.env['PORT']) || 4321 },
  vite: {
    plugins: [edgeBackend(edge, process.env)],
    // Workers load parts on demand too: the preview's grammars, one for each language.
    worker: { format: 'es' },
    // For browsers it comes in a form that asks the document, which workers do not have.
    resolve: { alias: { [ENTITIES]: fileURLToPath(import.meta.resolve(ENTITIES)) } },
  },
  security: {
    // It answers 403 text/plain before anything of ours (SECURITY.md, "Astro 7 facts"); calls believe the
    // Authorization header alone.
    checkOrigin: false,
    csp: {
      scriptDirective: { hashes: [hashOf(THEME_SCRIPT)] },
      directives: [
        "default-src 'self'",
        // Articles may show pictures from anywhere that encrypts.
        "img-src 'self' data: https:",
        // Players of videos, in frames that lead there after a click (src/lib/markdown/frames.ts).
        `frame-src ${PLAYER_ORIGINS.join(' ')}`,
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ],
    },
  },
});
