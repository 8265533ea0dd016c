// @ts-check
// Copies the built server and the operator's commands, with nothing else, into a folder that does not exist:
// `node_modules/node/bin/node tools/copy-runtime.mjs <folder>`. Decision 0097.
import { nodeFileTrace } from '@vercel/nft';
import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire, enableCompileCache, getCompileCacheDir, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { listFontFiles } from '../src/lib/server/og/fonts.ts';
import { DICTIONARY_FILES } from '../src/lib/server/text/jieba.ts';
import { compileCache, inRoot, pinnedNode, root, ToolError } from './project.mjs';

/** Modules that Node starts: the server, the commands, threads and child processes, the rendered pages. */
const ENTRIES = [
  'src/lib/server/main.ts',
  'src/lib/cli/moye.ts',
  'src/lib/server/**/*-{worker,process}.ts',
  'tools/moye-publish.mjs',
  'dist/server/**/*.mjs',
];
/** Files of this project that are read or served, not imported. */
const ASSETS = ['dist/client', 'dist/server', 'deploy/memory.env', 'package.json'];
/** Files of packages for debuggers, people and browsers. */
const NOT_LOADED = ['node_modules/**/*.{map,md}', 'node_modules/socket.io/client-dist/**'];

const packages = createRequire(import.meta.url);

/** @param {string} path */
const isOurTypeScript = (path) => path.endsWith('.ts') && !path.includes('node_modules');

/**
 * Reads a module as JavaScript.
 * @param {string} path absolute
 * @returns {Promise<string | Buffer | null>} null if it is no file
 */
async function readModule(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  return isOurTypeScript(path) ? stripTypeScriptTypes(readFileSync(path, 'utf8')) : readFileSync(path);
}

/**
 * Lists the files to copy.
 * @returns {Promise<string[]>} paths relative to the project; folders stand for all files in them
 */
async function listRuntime() {
  const { fileList } = await nodeFileTrace(globSync(ENTRIES, { cwd: root }), {
    base: root,
    // Node reads no `main` of a package that has `exports`.
    exportsOnly: true,
    readFile: readModule,
    ignore: ['dist/client/**', 'dist/.*', 'dist/.*/**', ...NOT_LOADED],
  });
  const assets = globSync('src/lib/server/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const dictionaries = Object.values(DICTIONARY_FILES).map((file) => packages.resolve(file));
  // Compiled code for the options that the server is started with, which do not change what V8 compiles.
  enableCompileCache(compileCache());
  const compiled = getCompileCacheDir() ?? [];
  const read = [pinnedNode(), ...(await listFontFiles()), ...dictionaries, ...assets].concat(compiled);
  return [...fileList, ...ASSETS, ...read.map((path) => relative(root, resolve(root, path)))];
}

const [target] = process.argv.slice(2);
if (target === undefined) throw new ToolError('usage: copy-runtime.mjs <folder>');
mkdirSync(target);
for (const path of await listRuntime()) {
  const copy = join(target, path);
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(inRoot(path), copy, { recursive: true, verbatimSymlinks: true });
}
// Node makes its compile cache readable by the current user only.
for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  chmodSync(path, statSync(path).mode | (entry.isDirectory() ? 0o555 : 0o444));
}
