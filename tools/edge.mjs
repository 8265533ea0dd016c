// @ts-check
// What a build for an edge differs in: which adapter, which settings, and what answers in the place of the
// services of Node.
import { fileURLToPath } from 'node:url';
import { edgeFolder } from './edge-adapters.mjs';

/** @typedef {import('./edge-adapters.mjs').Adapter} Adapter */

/**
 * @typedef {Pick<import('astro').AstroUserConfig, 'adapter' | 'build' | 'cache' | 'outDir'>}
 * Differences
 */

/** Settings that a build takes along; those of the environment it runs in win. Secrets are not among them. */
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
 * What Astro's configuration says otherwise in a build for an edge.
 * @param {Adapter} adapter
 * @param {import('astro').AstroUserConfig['build']} build what it says of every build
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
      // Switches Workers Cache on.
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
  // The adapter of the project's own server; `entry.mjs` is the server around it.
  return { ...shared, build: { ...build, serverEntry: 'pages.mjs' } };
}

/**
 * Serves `virtual:edge`, by which src/fetch.ts finds what answers requests at an edge.
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
      return adapter && this.environment.name !== 'client' && LEFT_OUT.test(loaded)
        ? 'export {};'
        : undefined;
    },
    configEnvironment(name) {
      if (!adapter) return undefined;
      // The front for Node is a folder that runs without node_modules.
      if (adapter === 'node') return name === 'client' ? undefined : { resolve: { noExternal: true } };
      // An adapter puts lines for its own runtime before every file; browsers need none.
      if (name === 'client') return { build: { rolldownOptions: { output: { banner: '' } } } };
      // Astro bundles the adapters that the manifest beside its config names; ours stand in src/lib/edge's.
      return { resolve: { noExternal: [/^@astrojs\//] } };
    },
    buildStart() {
      if (adapter !== 'node' || this.environment.name !== 'ssr') return;
      const id = fileURLToPath(new URL('../src/lib/edge/node-server.ts', import.meta.url));
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
      if (misplaced.length > 0) this.error(`no part of an edge front: ${misplaced.join(', ')}`);
    },
  };
}

/** Files of the server that the front for Node shares: how it listens, and nothing that stores. */
const LISTENING = new RegExp(
  `/src/lib/server/(?:${[
    'address',
    'address-bounds',
    'backup-settings',
    'config',
    'config-fields',
    'connections',
    'data-folder',
    'http',
    'http-handler',
    'plain-answers',
    'quota-rules',
    'site-settings-file',
    'storage',
    'unread-answers',
    'upload-settings',
  ].join('|')})\\.ts$`,
);
/**
 * What no front runs, and what would take a worker beyond the 3 MiB of Cloudflare's free plan: parts that
 * browsers load when they are used, and the drawing of diagrams, which stay code before a server that sends
 * articles without HTML.
 */
const LEFT_OUT = new RegExp(
  `/src/(?:${[
    'islands/sign/strength',
    'islands/editor/WritingPane',
    'islands/editor/emoji/emojis',
    'lib/markdown-file/read-file',
  ].join('|')})\\.tsx?$|/node_modules/beautiful-mermaid/`,
);
const SERVER = /\/src\/lib\/(?:server|cli)\//;
const PACKAGES =
  /(?:^|\/node_modules\/)(?:@aws-sdk|@node-rs|argon2|better-sqlite3|kysely|pg|pino|rate-limiter-flexible|sharp|socket\.io|engine\.io)(?:\/|$)/;

/**
 * What must not be in a front: storage, sockets and secrets of the server, and in a worker any module of
 * Node. Sockets of browsers may be: a front renders the islands that open them.
 * @param {string[]} modules files and names of what a build holds and imports
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
  // Settings of the platform can be read when a request comes, not before.
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
