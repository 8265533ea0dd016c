// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { succeeds } from './child.mjs';
import { withLock } from './lock.mjs';
import { inRoot, pinnedNode, say, ToolError } from './project.mjs';

/**
 * @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 */

/**
 * Compares what package-lock.json asks for with what npm noted in node_modules/.package-lock.json at the end of its last
 * complete install.
 * @param {LockFile} wanted
 * @param {LockFile | null} installed null when there is no such note
 * @returns {string | null} the path of the first package that is missing or of another version, null when all fit.
 *   Optional packages count only when present: other platforms' binaries never are.
 */
export function findMismatch(wanted, installed) {
  const have = installed?.packages;
  if (!have) return 'node_modules';
  for (const [path, pkg] of Object.entries(wanted.packages ?? {})) {
    if (path === '' || pkg.link || (pkg.optional && !have[path])) continue;
    if (have[path]?.version !== pkg.version) return path;
  }
  return null;
}

/**
 * Makes node_modules what package-lock.json says and the pinned Node runnable. Does and prints nothing when all is there.
 * Refuses when npm fails or no usable Node can be had.
 */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(inRoot('.prepare.lock'), async () => {
    if (isInstalled()) return;
    if (packagesFit() && !hasPinnedNode()) await rebuildNode();
    if (isInstalled()) return;
    await installPackages();
    if (!hasPinnedNode()) await rebuildNode();
    if (!isInstalled()) {
      throw new ToolError(
        `没有可用的 Node ${wantedNode()}：npm 未能安装它，当前 Node 是 ${process.versions.node}。请安装 Node ${wantedNode()} 后重试。 / ` +
          `No usable Node ${wantedNode()}: npm could not install it and this Node is ${process.versions.node}.`,
      );
    }
  });
}

const isInstalled = () => packagesFit() && (hasPinnedNode() || currentNodeWillDo());

function packagesFit() {
  const wanted = /** @type {LockFile | null} */ (readJson('package-lock.json'));
  const installed = /** @type {LockFile | null} */ (readJson('node_modules/.package-lock.json'));
  return wanted !== null && findMismatch(wanted, installed) === null;
}

/** @param {string} path @returns {unknown} null when the file is missing or half written */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(inRoot(path), 'utf8'));
  } catch {
    return null;
  }
}

/** @returns {string} the version of the package `node` that package.json pins */
const wantedNode = () => {
  const manifest = /** @type {{ dependencies: Record<string, string> } | null} */ (readJson('package.json'));
  return manifest?.dependencies['node'] ?? '';
};

/** Whether the pinned binary runs here: it does not when node_modules came from another kind of machine. */
const hasPinnedNode = () =>
  spawnSync(pinnedNode(), ['--version']).stdout?.toString().trim() === `v${wantedNode()}`;

/** The package `node` has no binary for some systems (musl): a recent Node of the same major does as well. */
const currentNodeWillDo = () => isAtLeast(process.versions.node, wantedNode());

/**
 * @param {string} version such as '24.21.0'
 * @param {string} wanted
 * @returns {boolean} same major version and not older
 */
export function isAtLeast(version, wanted) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number);
  return major === wantedMajor && minor >= wantedMinor;
}

async function installPackages() {
  say('正在安装依赖，第一次需要一两分钟… / Installing dependencies, a minute or two the first time…');
  // Independent of how npm is set up here: NODE_ENV=production or ignore-scripts would leave the build without its tools.
  // Warnings are about the Node that runs npm; the project runs on its own.
  const flags = [
    '--include=dev',
    '--include=optional',
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  if (!(await npm(['ci', ...flags]))) {
    say('npm ci 未成功，改用 npm install 再试一次… / npm ci did not work, trying npm install…');
    if (!(await npm(['install', '--no-save', ...flags]))) {
      throw new ToolError(
        '依赖安装失败，原因见上面 npm 的输出。 / npm could not install the dependencies, see above.',
      );
    }
  }
  say('依赖已安装。 / Dependencies are installed.');
}

async function rebuildNode() {
  say(`正在取得 Node ${wantedNode()}… / Getting Node ${wantedNode()}…`);
  await npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts']);
}

/**
 * Runs the npm that started us, so that a half-made node_modules/.bin/node on PATH is never what runs it.
 * @param {string[]} args
 */
function npm(args) {
  const script = process.env['npm_execpath'];
  const own = script && /npm-cli\.c?js$/.test(script);
  const options = { toStderr: true, env: { ...process.env, npm_config_update_notifier: 'false' } };
  return own ? succeeds(process.execPath, [script, ...args], options) : succeeds('npm', args, options);
}
