// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { succeeds } from './child.mjs';
import { withLock } from './lock.mjs';
import { inRoot, pinnedNode, say, ToolError } from './project.mjs';

/**
 * @typedef {Record<string, string>} Ranges version ranges by package name
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [link] whether the entry links to a workspace
 * @property {string} [resolved] folder of the workspace, for a link
 * @property {Ranges} [dependencies]
 * @property {Ranges} [devDependencies]
 * @property {Ranges} [optionalDependencies]
 * @property {Ranges} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 */

/** npm for the pinned Node, used where an older Node runs this command. */
const NPM_VERSION = '11.19.1';

/**
 * Compares package-lock.json with node_modules/.package-lock.json, which npm writes after a complete install.
 * @param {LockFile} wanted
 * @param {LockFile | null} installed null when npm has not written the file
 * @param {string[]} [workspaces] folders whose packages are needed in addition to the project's own
 * @returns {string | null} path of a package that is missing or has another version, null when all match. A
 * missing optional package is no mismatch: binaries of other platforms are never installed.
 */
export function findMismatch(wanted, installed, workspaces = []) {
  const have = installed?.packages;
  if (!have) return 'node_modules';
  const packages = wanted.packages ?? {};
  const manifests = ['', ...workspaces];
  const seen = new Set(manifests);
  const waiting = [...manifests];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const [name, isOptional] of namedBy(packages[from] ?? {}, manifests.includes(from))) {
      const path = locate(packages, from, name);
      if (path === undefined || seen.has(path) || (isOptional && !have[path])) continue;
      if (have[path]?.version !== packages[path]?.version) return path;
      seen.add(path);
      waiting.push(path);
    }
  }
  return null;
}

/**
 * @param {LockedPackage} pkg
 * @param {boolean} withDev
 * @returns {[name: string, isOptional: boolean][]} packages it needs, without optional peers, which npm does
 * not install
 */
function namedBy(pkg, withDev) {
  const { dependencies, devDependencies, optionalDependencies = {}, peerDependencies = {} } = pkg;
  const peers = Object.keys(peerDependencies).filter((name) => !pkg.peerDependenciesMeta?.[name]?.optional);
  const names = [...Object.keys({ ...dependencies, ...(withDev ? devDependencies : {}) }), ...peers];
  const needed = names.filter((name) => !(name in optionalDependencies));
  return [...needed.map(required), ...Object.keys(optionalDependencies).map(optional)];
}

/** @type {(name: string) => [string, boolean]} */
const required = (name) => [name, false];
/** @type {(name: string) => [string, boolean]} */
const optional = (name) => [name, true];

/**
 * Resolves a package the way Node does: in node_modules of the requesting folder, then of each folder above.
 * @param {Record<string, LockedPackage>} packages
 * @param {string} from path of the requesting package
 * @param {string} name
 * @returns {string | undefined} its path in the lock file
 */
function locate(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/**
 * Installs the packages that package-lock.json lists for the project and the given workspaces, and the pinned
 * Node. Does and prints nothing when all are installed; packages of other workspaces are kept. Refuses when
 * npm fails or when there is no usable Node.
 * @param {string[]} workspaces folders
 */
export async function ensureInstalled(workspaces) {
  if (isInstalled(workspaces)) return;
  await withLock(inRoot('.prepare.lock'), async () => {
    if (isInstalled(workspaces)) return;
    if (packagesFit(workspaces) && !hasPinnedNode()) await rebuildNode();
    if (isInstalled(workspaces)) return;
    if (isAtLeast(versionOf(npmNode()), wantedNode())) await installPackages(workspaces, npm);
    else await withPinnedNpm((pinnedNpm) => installPackages(workspaces, pinnedNpm));
    if (!hasPinnedNode()) await rebuildNode();
    if (!isInstalled(workspaces)) throw noNode();
    // The Node binary is a hard link to a file of this package, which also holds 67 MB of headers. npm would
    // remove the package at its next install anyway.
    rmSync(inRoot('node_modules', 'node', 'node_modules'), { recursive: true, force: true });
  });
}

const noNode = () =>
  new ToolError(
    `没有可用的 Node ${wantedNode()}：npm 未能安装它，当前 Node 是 ${process.versions.node}。请安装 Node ${wantedNode()} 后重试。 / ` +
      `No usable Node ${wantedNode()}: npm could not install it and this Node is ${process.versions.node}.`,
  );

/** @param {string[]} workspaces */
const isInstalled = (workspaces) => packagesFit(workspaces) && (hasPinnedNode() || currentNodeWillDo());

/** @param {string[]} workspaces */
function packagesFit(workspaces) {
  const wanted = /** @type {LockFile | null} */ (readJson('package-lock.json'));
  const installed = /** @type {LockFile | null} */ (readJson('node_modules/.package-lock.json'));
  return wanted !== null && findMismatch(wanted, installed, workspaces) === null;
}

/** @param {string} path @returns {unknown} null when the file is missing or half written */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(inRoot(path), 'utf8'));
  } catch {
    return null;
  }
}

/** @returns {string} version of the package `node` that package.json pins */
const wantedNode = () => {
  const manifest = /** @type {{ dependencies: Record<string, string> } | null} */ (readJson('package.json'));
  return manifest?.dependencies['node'] ?? '';
};

/**
 * Whether the pinned binary runs here. It does not when node_modules was installed on another kind of
 * machine.
 */
const hasPinnedNode = () => isWanted(pinnedNode());

/** @param {string} node path of an executable, which may not exist */
const isWanted = (node) => versionOf(node) === wantedNode();

/** @param {string} node @returns {string} its version such as '24.21.0', '' if it does not run */
const versionOf = (node) => spawnSync(node, ['--version']).stdout?.toString().trim().slice(1) ?? '';

/**
 * The package `node` has no binary for some systems (musl); a recent Node of the same major version works
 * too.
 */
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

/**
 * Runs a task with an npm that runs on the pinned Node, from a folder outside of node_modules, which npm
 * empties. An npm on an older Node leaves out optional packages whose `engines` exclude that Node: the
 * binaries of the bundler. Debian's npm cannot run on another Node, so npm is installed as well.
 * @param {(npm: Npm) => Promise<void>} task
 */
async function withPinnedNpm(task) {
  const folder = inRoot('.prepare.node');
  const inFolder = (/** @type {string[]} */ ...parts) => join(folder, 'node_modules', ...parts);
  const node = pinnedNode(inFolder());
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const dependencies = { node: wantedNode(), npm: NPM_VERSION };
    const manifest = { private: true, dependencies, allowScripts: { node: true } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    say(`正在取得 Node ${wantedNode()}… / Downloading Node ${wantedNode()}…`);
    if (!(await npm(['install', '--prefix', folder, ...COMMON_FLAGS])) || !isWanted(node)) throw noNode();
    // Scripts of packages call `node` and `npm`, too.
    const PATH = `${inFolder('.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
    await task((args) => runNpm(node, [inFolder('npm', 'bin', 'npm-cli.js'), ...args], { PATH }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} workspaces
 * @param {Npm} npm
 */
async function installPackages(workspaces, npm) {
  say('正在安装依赖，第一次需要一两分钟… / Installing dependencies, a minute or two the first time…');
  const flags = [
    ...COMMON_FLAGS,
    ...(workspaces.length > 0 ? ['--include-workspace-root'] : ['--workspaces=false']),
    ...workspaces.map((folder) => `--workspace=${folder}`),
  ];
  // `npm ci` first empties node_modules, which a running server may be using; when the project's own packages
  // are complete, `npm install` only adds the missing ones.
  const isAddition = packagesFit([]);
  if (isAddition || !(await npm(['ci', ...flags]))) {
    if (!isAddition) say('npm ci 未成功，改用 npm install 再试一次… / npm ci failed, trying npm install…');
    if (!(await npm(['install', '--no-save', ...flags]))) {
      throw new ToolError(
        '依赖安装失败，原因见上面 npm 的输出。 / npm could not install the dependencies, see above.',
      );
    }
  }
  say('依赖已安装。 / Dependencies are installed.');
}

/**
 * Overrides npm settings: with NODE_ENV=production or ignore-scripts the build would lack its tools. Warnings
 * are hidden: they concern the Node that runs npm, and the project runs on the pinned one.
 */
const COMMON_FLAGS = [
  '--include=dev',
  '--include=optional',
  '--ignore-scripts=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

async function rebuildNode() {
  say(`正在取得 Node ${wantedNode()}… / Downloading Node ${wantedNode()}…`);
  await npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts']);
}

/**
 * Runs the npm that started this process. A PATH lookup might find a half-installed node_modules/.bin/node.
 * @type {Npm}
 */
function npm(args) {
  const script = process.env['npm_execpath'];
  const own = script && /npm-cli\.c?js$/.test(script);
  return own ? runNpm(npmNode(), [script, ...args]) : runNpm('npm', args);
}

/** The Node of that npm, which is not this one once npm finds the pinned Node in node_modules/.bin. */
const npmNode = () => process.env['npm_node_execpath'] || process.execPath;

/** @typedef {(args: string[]) => Promise<boolean>} Npm runs npm and returns whether it succeeded */

/**
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] variables to set
 */
const runNpm = (file, args, env) =>
  succeeds(file, args, {
    toStderr: true,
    env: { ...process.env, npm_config_update_notifier: 'false', ...env },
  });
