// @ts-check
// Differences of an edge build: its adapter, its settings, and the backend that replaces the services of
// Node.
import { fileURLToPath } from 'node:url';
import { SLOW_GRAMMARS } from '../src/lib/edge/slow-grammars.ts';
import { edgeFolder } from './edge-adapters.mjs';

/** @typedef {import('./edge-adapters.mjs').Adapter} Adapter */

/**
 * @typedef {Pick<import('astro').AstroUserConfig, 'adapter' | 'build' | 'cache' | 'outDir'>}
 * Differences
 */

/** Settings that are compiled into a build, none of them secret. The runtime environment takes precedence. */
const BUILT_IN = [
  'API_ORIGIN',
  'LIVE_ORIGIN',
  'SITE_URL',
  'SITE_TITLE',
  'SITE_DESCRIPTION',
  'SITE_BEIAN',
  'SITE_TIME_ZONE',
  'INDEXNOW_KEY',
];

/**
 * Returns the parts of Astro's configuration that an edge build overrides.
 * @param {Adapter} adapter
 * @param {import('astro').AstroUserConfig['build']} build options that every build has
 * @returns {Promise<Differences>}
 */
export async function edgeConfig(adapter, build) {
  const shared = { outDir: `./${edgeFolder}/${adapter}` };
  if (adapter === 'cloudflare') {
    const { default: cloudflare } = await import('@astrojs/cloudflare');
    const { cacheCloudflare } = await import('@astrojs/cloudflare/cache');
    const configPath = fileURLToPath(new URL('./wrangler.json', import.meta.url));
    return {
      ...shared,
      adapter: cloudflare({ imageService: 'passthrough', prerenderEnvironment: 'node', configPath }),
      // Enables Workers Cache.
      cache: { provider: cacheCloudflare() },
    };
  }
  if (adapter === 'netlify') {
    const { default: netlify } = await import('@astrojs/netlify');
    return { ...shared, adapter: netlify({ imageCDN: false }) };
  }
  if (adapter === 'vercel') {
    const { default: vercel } = await import('@astrojs/vercel');
    return { ...shared, adapter: vercel() };
  }
  // The adapter stays the one of the project's own server; `entry.mjs` is the server around it.
  return { ...shared, build: { ...build, serverEntry: 'pages.mjs' } };
}

/**
 * Serves `virtual:edge`, the module from which src/fetch.ts takes the backend of an edge front.
 * @param {Adapter | undefined} adapter
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('vite').Plugin}
 */
export function edgeBackend(adapter, env) {
  const id = '\0virtual:edge';
  const none = 'export const edgeBackend = undefined;';
  return {
    name: 'moye-edge',
    resolveId: (source) => (source === 'virtual:edge' ? id : undefined),
    load(loaded) {
      if (loaded === id) return adapter ? backendModule(adapter, env) : none;
      if (!adapter || this.environment.name === 'client') return undefined;
      return leftOut.find(({ test, only = adapter }) => only === adapter && test.test(loaded))?.code;
    },
    configEnvironment(name) {
      if (!adapter) return undefined;
      // The front for Node is a folder that runs without node_modules.
      if (adapter === 'node') return name === 'client' ? undefined : { resolve: { noExternal: true } };
      // An adapter prepends code for its own runtime to every file; browsers need none.
      if (name === 'client') return { build: { rolldownOptions: { output: { banner: '' } } } };
      // Astro bundles only the adapters in package.json next to its config; these are in src/lib/edge's
      // package.json. Only a worker's size is limited.
      return { resolve: { noExternal: [/^@astrojs\//] }, build: { minify: adapter === 'cloudflare' } };
    },
    buildStart() {
      if (adapter !== 'node' || this.environment.name !== 'ssr') return;
      const id = fileURLToPath(new URL('../src/lib/edge/server/node-server.ts', import.meta.url));
      this.emitFile({ type: 'chunk', id, fileName: 'entry.mjs' });
    },
    generateBundle(_options, bundle) {
      if (!adapter || this.environment.name === 'client') return;
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const modules = chunks.flatMap(({ moduleIds, imports, dynamicImports }) => [
        ...moduleIds,
        ...imports,
        ...dynamicImports,
      ]);
      const misplaced = misplacedIn(modules, adapter);
      if (misplaced.length > 0) this.error(`not allowed in an edge build: ${misplaced.join(', ')}`);
    },
  };
}

/** Server modules that the front for Node shares: those that listen for connections, none that store data. */
const LISTENING =
  /\/src\/lib\/server\/(?:(?:config|http)\/[\w-]+|shared\/quota-rules|storage\/(?:data-folder|storage))\.ts$/;
/**
 * Modules that no front runs and that would push a worker over its limit (tools/build-edge.mjs), with the
 * code in their place: parts that browsers load on demand, rendering in browsers, slow grammars, and the
 * diagram renderer (diagrams stay code when the API sends articles without HTML). Workers cannot compile
 * WebAssembly.
 * @type {{ test: RegExp, code: string, only?: Adapter }[]}
 */
const leftOut = [
  {
    test: new RegExp(
      `/src/(?:${[
        'islands/sign/strength',
        'islands/editor/writing/WritingPane',
        'islands/editor/emoji/emojis',
        'lib/markdown-file/read-file',
      ].join('|')})\\.tsx?$|/node_modules/beautiful-mermaid/`,
    ),
    code: 'export {};',
  },
  {
    test: new RegExp(`/node_modules/@shikijs/langs/dist/(?:${SLOW_GRAMMARS.join('|')})\\.mjs$`),
    code: 'export default [];',
  },
  { test: /\/node_modules\/react-dom\/client\.js$/, code: 'module.exports = {};' },
  { test: /\/node_modules\/shiki\/dist\/wasm\.mjs$/, code: 'export {};', only: 'cloudflare' },
];
const SERVER = /\/src\/lib\/(?:server|cli|importers)\//;
const PACKAGES =
  /(?:^|\/node_modules\/)(?:@aws-sdk|@node-rs|argon2|better-sqlite3|kysely|pg|pino|rate-limiter-flexible|sharp|socket\.io|engine\.io)(?:\/|$)/;

/**
 * Returns the modules that an edge front must not contain: storage, sockets and secrets of the server, and in
 * a worker any Node module. Browser sockets are allowed, because a front renders the islands that open them.
 * @param {string[]} modules files and module names that a build contains or imports
 * @param {Adapter} adapter
 */
export const misplacedIn = (modules, adapter) =>
  [...new Set(modules)].filter(
    (id) =>
      (SERVER.test(id) && !(adapter === 'node' && LISTENING.test(id))) ||
      PACKAGES.test(id) ||
      /^node:(?:sqlite|worker_threads)$/.test(id) ||
      (adapter === 'cloudflare' && id.startsWith('node:')),
  );

/** @param {Adapter} adapter @param {NodeJS.ProcessEnv} env */
function backendModule(adapter, env) {
  const file = (/** @type {string} */ name) =>
    JSON.stringify(fileURLToPath(new URL(`../src/lib/edge/${name}.ts`, import.meta.url)));
  const builtIn = Object.fromEntries(BUILT_IN.map((name) => [name, env[name]]));
  // Platform settings are available during a request, not earlier.
  return `
import { getSecret } from 'astro:env/server';
import { createEdgeBackend } from ${file('edge')};
import { platform } from ${file(adapter)};
const builtIn = ${JSON.stringify(builtIn)};
let backend;
export const edgeBackend = () =>
  (backend ??= createEdgeBackend((name) => getSecret(name) || builtIn[name], platform));
`;
}
