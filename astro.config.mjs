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
 * Adds the directive `client:when` (src/islands/hydrate.ts).
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
 * Returns the CSP source of an inline script.
 * @param {string} script
 * @returns {`sha256-${string}`}
 */
const hashOf = (script) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

const ENTITIES = 'decode-named-character-reference';

// In production Astro only logs errors, as JSON lines like the server's. Otherwise it would warn at every
// start that src/fetch.ts calls neither actions() nor middleware(), which this project does not use.
const logger = process.argv.includes('build') ? { logger: logHandlers.json({ level: 'error' }) } : {};

const edge = adapterOf(process.env);

/** @type {import('astro').AstroUserConfig['build']} */
const build = { inlineStylesheets: 'never', assets: '_assets' };

export default defineConfig({
  ...logger,
  output: 'server',
  // A handler for our own server: src/lib/server/start.ts.
  adapter: node({ mode: 'middleware' }),
  // Unused: sessions, and Astro's image service, which adapters would add.
  session: false,
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  build,
  ...(edge ? await edgeConfig(edge, build) : {}),
  // src/layouts/Shell.astro imports the style sheet, one file with the styles of every page. No component
  // suspends, so React need not stream, which renders a page in seven eighths of the time.
  integrations: [UnoCSS({ injectEntry: false }), react({ experimentalDisableStreaming: true }), hydration],
  compressHTML: true,
  // src/lib/markdown renders articles. Astro's markdown is unused, and the styles of its highlighter would
  // violate the CSP.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  // For `npm run dev`; the built server reads them in src/lib/server/config.ts.
  server: { host: process.env['HOST'] || '127.0.0.1', port: Number(process.env['PORT']) || 4321 },
  vite: {
    plugins: [edgeBackend(edge, process.env)],
    // Workers also load chunks on demand: the preview's grammars, one per language.
    worker: { format: 'es' },
    // The browser version uses `document`, which workers do not have.
    resolve: { alias: { [ENTITIES]: fileURLToPath(import.meta.resolve(ENTITIES)) } },
  },
  security: {
    // Astro's check responds with 403 text/plain before our code runs (SECURITY.md, "Astro 7 facts"). It is
    // not needed: API calls only accept the Authorization header.
    checkOrigin: false,
    csp: {
      scriptDirective: { hashes: [hashOf(THEME_SCRIPT)] },
      directives: [
        "default-src 'self'",
        // Articles may embed pictures from any https origin.
        "img-src 'self' data: https:",
        // Video players in frames, loaded after a click (src/lib/markdown/frames.ts).
        `frame-src ${PLAYER_ORIGINS.join(' ')}`,
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ],
    },
  },
});
