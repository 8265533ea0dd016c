import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig, logHandlers } from 'astro/config';
import UnoCSS from 'unocss/astro';
import { PLAYER_ORIGINS } from './src/lib/markdown/embeds/players.ts';
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
 * Returns the hash by which the Content-Security-Policy allows an inline script.
 * @param {string} script
 * @returns {`sha256-${string}`}
 */
const hashOf = (script) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

const ENTITIES = 'decode-named-character-reference';

// Builds log only errors, as JSON lines like the server's own: Astro would warn on every start that
// src/fetch.ts calls neither actions() nor middleware(), and the project has neither.
const logger = process.argv.includes('build') ? { logger: logHandlers.json({ level: 'error' }) } : {};

const edge = adapterOf(process.env);

/**
 * Puts the island of the header and what it imports into one file: every page with scripts loads them, and as
 * a dozen files they would take 4 % more bytes.
 */
const codeSplitting = { groups: [{ name: 'header', test: /HeaderControls\.tsx$/ }] };

/** @type {import('astro').AstroUserConfig['build']} */
const build = { inlineStylesheets: 'never', assets: '_assets' };

export default defineConfig({
  ...logger,
  output: 'server',
  // A request handler that src/lib/server/start.ts mounts in its own server.
  adapter: node({ mode: 'middleware' }),
  // Sessions and Astro's image service are unused; otherwise adapters would add their own.
  session: false,
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  build,
  ...(edge ? await edgeConfig(edge, build) : {}),
  // src/layouts/Shell.astro imports the UnoCSS sheet, so it shares a file with the styles that every page
  // has. Nothing rendered here suspends; without streaming a page takes seven eighths of the time.
  integrations: [UnoCSS({ injectEntry: false }), react({ experimentalDisableStreaming: true }), hydration],
  compressHTML: true,
  // src/lib/markdown renders the articles. Astro's own Markdown is unused, and the styles of its highlighter
  // would violate the CSP.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  // For `npm run dev`; the built server reads them in src/lib/server/config/config.ts.
  server: { host: process.env['HOST'] || '127.0.0.1', port: Number(process.env['PORT']) || 4321 },
  vite: {
    plugins: [edgeBackend(edge, process.env)],
    environments: { client: { build: { rolldownOptions: { output: { codeSplitting } } } } },
    // Workers also load modules on demand: the preview loads one grammar per language.
    // Names as Astro's: files that workers share with pages are then the same files.
    worker: {
      format: 'es',
      rolldownOptions: { output: { chunkFileNames: `${build.assets}/[name].[hash].js` } },
    },
    // The browser version of this package uses the DOM, which workers do not have.
    resolve: { alias: { [ENTITIES]: fileURLToPath(import.meta.resolve(ENTITIES)) } },
  },
  security: {
    // Astro would answer 403 text/plain before any code of this project runs (SECURITY.md, "Astro 7 facts");
    // API calls are authenticated by the Authorization header only.
    checkOrigin: false,
    csp: {
      scriptDirective: { hashes: [hashOf(THEME_SCRIPT)] },
      directives: [
        "default-src 'self'",
        // Articles may show pictures from any HTTPS origin.
        "img-src 'self' data: https:",
        // Video players, in frames that load after a click (src/lib/markdown/embeds/frames.ts).
        `frame-src ${PLAYER_ORIGINS.join(' ')}`,
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ],
    },
  },
});
