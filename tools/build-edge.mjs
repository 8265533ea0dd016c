// @ts-check
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { succeeds } from './child.mjs';
import { ADAPTER, adapters, edgeFolder } from './edge-adapters.mjs';
import { withLock } from './lock.mjs';
import { precompress } from './precompress.mjs';
import { inRoot, projectNode, say, ToolError } from './project.mjs';

/** @typedef {import('./edge-adapters.mjs').Adapter} Adapter */

/** Maximum size of a worker in gzip. Cloudflare's free plan refuses 3 MiB. */
const MAX_WORKER_BYTES = 2.25 * 1024 * 1024;

/** Deployed output of each adapter, relative to the project root. */
const outputs = /** @type {const} */ ({
  cloudflare: [edgeFolder, 'cloudflare'],
  netlify: [edgeFolder, 'netlify'],
  vercel: ['.vercel', 'output'],
  node: [edgeFolder, 'node'],
});

/** Server part of each output. */
const programs = /** @type {const} */ ({
  cloudflare: [edgeFolder, 'cloudflare', 'server'],
  netlify: ['.netlify', 'v1', 'functions'],
  vercel: ['.vercel', 'output', 'functions'],
  node: [edgeFolder, 'node', 'server'],
});

const nextSteps = {
  cloudflare: `npx wrangler deploy --config ${edgeFolder}/cloudflare/server/wrangler.json`,
  netlify: `npx netlify deploy --prod --no-build --dir ${edgeFolder}/netlify`,
  vercel: 'npx vercel deploy --prebuilt --prod',
  node: `node ${edgeFolder}/node/server/entry.mjs`,
};

/**
 * Builds an edge front: pages without storage that call the API at API_ORIGIN. Refuses an unknown adapter, an
 * invalid API_ORIGIN, LIVE_ORIGIN or SITE_URL, and a failed build, each with a one-line message.
 * @param {string[]} args `--adapter <name>`
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function buildEdge(args, env = process.env) {
  const adapter = readAdapter(args);
  if (!env['API_ORIGIN'])
    throw new ToolError(
      'API_ORIGIN is not set: set it to the origin of the API, such as https://api.example.com',
    );
  for (const name of ['API_ORIGIN', 'LIVE_ORIGIN', 'SITE_URL'])
    if (env[name] && !isOrigin(env[name]))
      throw new ToolError(`${name} must be an origin such as https://example.com, without a path`);
  say(`正在为 ${adapter} 构建… / Building for ${adapter}…`);
  await withLock(inRoot('.prepare.lock'), () => build(adapter, env));
  const { files, bytes, packed } = weigh(adapter);
  say(`${adapter}: ${files} server files, ${mib(bytes)}, ${mib(packed)} gzip`);
  refuseHeavy(adapter, packed);
  say(`构建完成。部署 / Built. To deploy: ${nextSteps[adapter]}`);
}

const mib = (/** @type {number} */ size) => `${(size / 1024 / 1024).toFixed(2)} MiB`;

/**
 * Refuses a worker above the limit.
 * @param {Adapter} adapter
 * @param {number} packed bytes of its code in gzip
 */
export function refuseHeavy(adapter, packed) {
  if (adapter === 'cloudflare' && packed > MAX_WORKER_BYTES)
    throw new ToolError(`the worker is ${mib(packed)} in gzip, more than ${mib(MAX_WORKER_BYTES)}`);
}

/** @param {string[]} args @returns {Adapter} */
function readAdapter(args) {
  const [option = '', ...values] = args.flatMap((arg) => arg.split('='));
  const [name = ''] = values;
  const known = adapters.find((adapter) => adapter === name);
  if (option === '--adapter' && known && values.length === 1) return known;
  throw new ToolError(`usage: npm run build [-- --adapter ${adapters.join('|')}]`);
}

/** @param {string} value */
function isOrigin(value) {
  try {
    const url = new URL(value);
    const isBare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
    return /^https?:$/.test(url.protocol) && isBare;
  } catch {
    return false;
  }
}

/** @param {Adapter} adapter @param {NodeJS.ProcessEnv} env */
async function build(adapter, env) {
  rmSync(inRoot(...outputs[adapter]), { recursive: true, force: true });
  const astro = inRoot('node_modules', 'astro', 'bin', 'astro.mjs');
  const settings = { ...env, [ADAPTER]: adapter, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' };
  // Adapters log many warnings about features that are not used here, so astro.config.mjs lets a build log
  // only errors.
  if (!(await succeeds(projectNode(), [astro, 'build'], { env: settings, toStderr: true })))
    throw new ToolError('构建失败，原因见上面的输出。 / The build failed, see above.');
  if (adapter === 'node') await precompress(inRoot(edgeFolder, 'node', 'client'));
  if (adapter === 'cloudflare') writeHeaders(inRoot(edgeFolder, 'cloudflare', 'client', '_headers'));
  if (adapter === 'netlify') writeHeaders(inRoot(edgeFolder, 'netlify', '_headers'));
  if (adapter === 'vercel') addHeaders(inRoot('.vercel', 'output', 'config.json'));
}

/**
 * Sets the header that the Node server sends, since the platform serves static files itself.
 * @param {string} path
 */
function writeHeaders(path) {
  let existing = '';
  try {
    existing = readFileSync(path, 'utf8');
  } catch {
    // The adapter wrote no headers file.
  }
  writeFileSync(path, `${existing}/*\n  X-Content-Type-Options: nosniff\n`);
}

/** @param {string} path */
function addHeaders(path) {
  const config = /** @type {{ routes: object[] }} */ (JSON.parse(readFileSync(path, 'utf8')));
  config.routes.unshift({ src: '/.*', headers: { 'X-Content-Type-Options': 'nosniff' }, continue: true });
  writeFileSync(path, JSON.stringify(config));
}

/**
 * Measures the server part of a build: its JavaScript files, their bytes, and their size in a single gzip
 * stream.
 * @param {Adapter} adapter
 */
export function weigh(adapter) {
  const folder = inRoot(...programs[adapter]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const text = Buffer.concat(files.map((path) => readFileSync(path)));
  return { files: files.length, bytes: text.length, packed: gzipSync(text).length };
}
