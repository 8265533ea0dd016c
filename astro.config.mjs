import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig, logHandlers } from 'astro/config';
import { ISLANDS, RENDERER } from './src/islands/islands.ts';
import { SPECULATION_RULES } from './src/layouts/speculation-rules.ts';
import { THEME_SCRIPT } from './src/layouts/theme-script.ts';
import { edgeBackend, edgeConfig } from './tools/edge.mjs';
import { adapterOf } from './tools/edge-adapters.mjs';
import { sheets } from './tools/sheets.mjs';

/**
 * Gives every island a file for browsers, and the server its address, as `virtual:islands`. The server is built first: it gets
 * marks, and the addresses in their place once the client's files have their names.
 * @returns {import('vite').Plugin}
 */
function islandFiles() {
  const id = '\0virtual:islands';
  const mark = (/** @type {string} */ name) => `@@island ${name}@@`;
  const names = [RENDERER, ...ISLANDS];
  /** @type {Map<string, string>} */
  const files = new Map();
  /** @type {string[]} */
  const marked = [];
  return {
    name: 'moye-islands',
    resolveId: (source) => (source === 'virtual:islands' ? id : undefined),
    load(loaded) {
      if (loaded !== id) return undefined;
      const isBuild = this.environment.mode === 'build';
      const addressOf = (/** @type {string} */ name) => (isBuild ? mark(name) : `/src/islands/${name}.tsx`);
      return `export default ${JSON.stringify(Object.fromEntries(names.map((name) => [name, addressOf(name)])))}`;
    },
    buildStart() {
      if (this.environment.name !== 'client' || this.environment.mode !== 'build') return;
      for (const name of names) {
        const module = fileURLToPath(new URL(`./src/islands/${name}.tsx`, import.meta.url));
        files.set(name, this.emitFile({ type: 'chunk', id: module, name: basename(name) }));
      }
    },
    generateBundle: {
      order: 'pre',
      // Astro drops style sheets that belong to no page: those of the parts that islands load when they need them.
      handler(_options, bundle) {
        for (const { viteMetadata: made } of Object.values(bundle).filter((file) => file.type === 'chunk'))
          for (const sheet of made?.importedCss ?? []) made?.importedAssets.add(sheet);
      },
    },
    writeBundle({ dir = '' }, bundle) {
      if (this.environment.name === 'ssr') {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        for (const chunk of chunks) if (chunk.moduleIds.includes(id)) marked.push(join(dir, chunk.fileName));
      }
      if (this.environment.name !== 'client') return;
      for (const path of marked) {
        let code = readFileSync(path, 'utf8');
        for (const [name, file] of files) code = code.replaceAll(mark(name), `/${this.getFileName(file)}`);
        writeFileSync(path, code);
      }
    },
  };
}

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

// In production Astro speaks up only about errors, in lines like the server's own: it warns on every start that src/fetch.ts calls
// neither actions() nor middleware(), of which there are none.
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
  integrations: [react(), hydration],
  compressHTML: true,
  // Articles are rendered by src/lib/markdown; Astro's own markdown is not used and its highlighter's styles would break the CSP.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  // Of `npm run dev`; the built server reads them in src/lib/server/config.ts.
  server: { host: process.env['HOST'] || '127.0.0.1', port: Number(process.env['PORT']) || 4321 },
  vite: {
    plugins: [sheets(), islandFiles(), edgeBackend(edge, process.env)],
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
      scriptDirective: { hashes: [THEME_SCRIPT, SPECULATION_RULES].map(hashOf) },
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
