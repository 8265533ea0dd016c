// @ts-check
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, succeeds } from './child.mjs';
import { withLock } from './lock.mjs';
import { precompress } from './precompress.mjs';
import { compileCache, inRoot, moyeOptions, projectNode, root, say, ToolError } from './project.mjs';

/** Files and folders that a build depends on. Only a change in one of them requires a new build. */
export const inputs = [
  'src',
  'public',
  'astro.config.mjs',
  'uno.config.ts',
  'tsconfig.json',
  'package-lock.json',
  'tools/build.mjs',
  'tools/edge.mjs',
  'tools/precompress.mjs',
];
/** Modules of the server that are not loaded when main.ts starts. */
const LOADED_LATER = /(-worker|accent)\.ts$/;
const stampPath = () => inRoot('dist', '.built-from');

/**
 * Returns one hash over the names and contents of files. Modification times are ignored, so a fresh checkout
 * of the same commit has the same hash.
 * @param {string} base folder that the paths are relative to
 * @param {string[]} paths files and folders; missing ones count as empty, dot files are left out
 * @returns {string} hex digest
 */
export function hashFiles(base, paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => listFiles(join(base, path))).sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(base, file).split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => listFiles(join(path, name)));
}

/**
 * @param {string} sourcesHash
 * @param {string | null} stamp hash that the last complete build recorded, null without one
 * @returns {boolean} whether dist must be built
 */
export const needsBuild = (sourcesHash, stamp) => stamp?.trim() !== sourcesHash;

function readStamp() {
  try {
    return readFileSync(stampPath(), 'utf8');
  } catch {
    return null;
  }
}

/**
 * Builds dist when it is missing or was built from other sources. Refuses when the build fails.
 * @param {{ force?: boolean }} [options] force: build even when dist is up to date
 */
export async function ensureBuilt({ force = false } = {}) {
  if (!force && !needsBuild(hashFiles(root, inputs), readStamp())) return;
  await withLock(inRoot('.prepare.lock'), async () => {
    const hash = hashFiles(root, inputs);
    if (!force && !needsBuild(hash, readStamp())) return;
    await build(hash);
  });
}

/** @param {string} hash */
async function build(hash) {
  say('正在构建页面… / Building…');
  // Without a stamp, dist counts as incomplete during the build and after a failed one.
  rmSync(stampPath(), { force: true });
  const env = { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' };
  const astro = inRoot('node_modules', 'astro', 'bin', 'astro.mjs');
  if (!(await succeeds(projectNode(), [astro, 'build'], { env, toStderr: true }))) {
    throw new ToolError('构建失败，原因见上面的输出。 / The build failed, see above.');
  }
  await precompress(inRoot('dist', 'client'));
  await warm();
  writeFileSync(stampPath(), `${hash}\n`);
  say('构建完成。 / Built.');
}

/**
 * Fills the compile cache with the code of the server and of the commands, types already stripped. This saves
 * a third of the time to the first page and of a short command, and the server the memory of the type
 * stripper: 23 MB, and 12 to 20 MB in each thread.
 * Starting with an invalid port loads the modules that main.ts imports and is then refused before anything is
 * opened. Modules that are loaded later or in a thread are imported separately.
 */
async function warm() {
  rmSync(compileCache(), { recursive: true, force: true });
  const env = { ...process.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: compileCache(), PORT: 'none' };
  const start = (/** @type {string[]} */ args) => run(projectNode(), args, { env, isSilent: true });
  await start([inRoot('src', 'lib', 'server', 'main.ts')]);
  // Some fail without the data that their thread receives, but only after their imports were compiled.
  const script = 'for (const file of process.argv.slice(1)) await import(file).catch(() => undefined)';
  const load = (/** @type {string[]} */ files, /** @type {string[]} */ options = []) => {
    const urls = files.map((file) => pathToFileURL(file).href);
    return start([...options, '--input-type=module', '--eval', script, '--', ...urls]);
  };
  await load(listFiles(inRoot('src', 'lib', 'server')).filter((file) => LOADED_LATER.test(file)));
  // Compiled code belongs to the options of Node.
  await load(modulesOfCommands(), moyeOptions);
}

/** Modules of the operator's commands, except the entry, which would run one. */
const modulesOfCommands = () => [
  ...['cli', 'importers']
    .flatMap((folder) => listFiles(inRoot('src', 'lib', folder)))
    .filter((file) => file !== inRoot('src', 'lib', 'cli', 'moye.ts')),
  inRoot('src', 'lib', 'server', 'app.ts'),
  inRoot('src', 'lib', 'server', 'articles', 'rendering', 'render-worker.ts'),
];
