// @ts-check
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './child.mjs';
import { inRoot, projectNode, say, ToolError } from './project.mjs';

/** Chromium without a user interface; the browser tests take 0.6 of the time with it. */
const SHELL = 'chromium-headless-shell';
const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds a Chromium that starts. Looks at CHROMIUM_PATH, then for a headless shell on PATH, then at
 * Playwright's download, then for any other browser on PATH.
 * @param {NodeJS.ProcessEnv} env
 * @param {{ isWhole?: boolean }} [options] `isWhole`: excludes headless shells, which have no back/forward
 * cache, load lazy pictures immediately and keep no profile on disk
 * @returns {Promise<string | null>} path of the executable, or null when none is found. Refuses a
 * CHROMIUM_PATH that does not start instead of falling back to another browser.
 */
export async function findBrowser(env, { isWhole = false } = {}) {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen) {
    if (starts(chosen)) return chosen;
    throw new ToolError(
      `CHROMIUM_PATH 指向的浏览器无法启动：${chosen} / the browser in CHROMIUM_PATH does not start: ${chosen}`,
    );
  }
  const { chromium } = await import('@playwright/test');
  const onPath = (/** @type {string} */ name) => findOnPath(name, env);
  const candidates = [
    ...(isWhole ? [] : onPath(SHELL)),
    chromium.executablePath(),
    ...commands.flatMap(onPath),
  ];
  return candidates.find((path) => existsSync(path) && starts(path)) ?? null;
}

/**
 * @param {string} name @param {NodeJS.ProcessEnv} env @returns {string[]} executables of that name on PATH
 */
function findOnPath(name, env) {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// A downloaded browser may exist but lack its system libraries. On Windows, chrome.exe opens a window when
// asked for its version, so it is not checked.
/** @param {string} path */
const starts = (path) =>
  process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0;

const isRoot = () => process.getuid?.() === 0;
const has = (/** @type {string} */ command) => findOnPath(command, process.env).length > 0;

/**
 * Installs Chromium if none is found, and a Chinese font on Linux. Refuses when the installation of Chromium
 * fails.
 */
export async function ensureBrowser() {
  if (!(await findBrowser(process.env, { isWhole: true }))) await installBrowser();
  await ensureChineseFont();
}

async function installBrowser() {
  say('没有找到 Chromium，正在下载… / No Chromium found, downloading one…');
  const playwright = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  const withDeps = isRoot() && has('apt-get') ? ['--with-deps'] : [];
  await run(projectNode(), [playwright, 'install', ...withDeps, '--no-shell', 'chromium'], {
    toStderr: true,
  });
  let path = await findBrowser(process.env, { isWhole: true });
  if (!path && isRoot() && has('apt-get')) {
    say('下载不成，改用系统软件源安装… / The download did not work, trying the system packages…');
    await aptInstall('chromium', 'fonts-noto-cjk');
    // Some releases have no such package; the tests then only take longer.
    await aptInstall(SHELL);
    path = await findBrowser(process.env, { isWhole: true });
  }
  if (!path)
    throw new ToolError(
      '没有可用的 Chromium：请安装 chromium，或用 CHROMIUM_PATH 指明其位置。 / No Chromium: install it or set CHROMIUM_PATH.',
    );
}

/** Without a Chinese font every character is drawn as the same box, and layout tests would measure boxes. */
async function ensureChineseFont() {
  if (process.platform !== 'linux') return;
  const listed = spawnSync('fc-list', [':lang=zh', 'family']).stdout?.toString().trim();
  if (listed) return;
  if (isRoot() && has('apt-get')) {
    say('没有中文字体，正在安装 fonts-noto-cjk… / No Chinese font, installing fonts-noto-cjk…');
    if (await aptInstall('fontconfig', 'fonts-noto-cjk')) return;
  }
  say('没有中文字体，页面里的汉字会显示为方框。 / No Chinese font: characters will show as boxes.');
}

/** @param {...string} packages @returns {Promise<boolean>} whether they are installed now */
async function aptInstall(...packages) {
  const options = { toStderr: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], options);
  const { code } = await run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    options,
  );
  return code === 0;
}
