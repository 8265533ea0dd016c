// @ts-check
// Runs one of the operator's commands as the owner of DATA_DIR, with the settings of an environment file:
// `node tools/service.mjs <file> [words]`. deploy/moye starts it with the pinned Node.
import { readFileSync, statSync } from 'node:fs';
import { parseEnvironmentFile } from './environment-file.mjs';
import { memorySettings, moyeArguments, ToolError } from './project.mjs';

/** As in deploy/moye.service. */
const CODE_CACHE = '/var/cache/moye';

/** @typedef {{ initgroups: (user: number, group: number) => void }} WithGroups lacking in @types/node */
const system = /** @type {WithGroups} */ (/** @type {unknown} */ (process));

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;

/**
 * Reads the settings. The file is optional, as in the unit.
 * @param {string} file
 */
function settingsIn(file) {
  try {
    return parseEnvironmentFile(readFileSync(file, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new ToolError(
      codeOf(error) === 'EACCES'
        ? `不能读取设置 ${file}：没有权限，请在命令前加上 sudo`
        : `不能读取设置 ${file}：${codeOf(error)}`,
    );
  }
}

/**
 * Becomes the owner of the folder, so new files belong to the service.
 * @param {string} folder
 */
function becomeOwner(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new ToolError(`没有文件夹 ${folder}：请先启动一次服务，或检查设置 DATA_DIR`);
  if (process.geteuid?.() === found.uid) return;
  if (process.geteuid?.() !== 0) throw new ToolError(`${folder} 属于另一个用户：请在命令前加上 sudo`);
  system.initgroups(found.uid, found.gid);
  process.setgid?.(found.gid);
  process.setuid?.(found.uid);
}

const [file = '', ...words] = process.argv.slice(2);
try {
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    NODE_COMPILE_CACHE: CODE_CACHE,
    ...memorySettings(),
    ...process.env,
    ...settingsIn(file),
  };
  becomeOwner(env['DATA_DIR'] ?? '');
  process.execve?.(process.execPath, [process.execPath, ...moyeArguments(words)], env);
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  process.stderr.write(`moye：${error.message}\n`);
  process.exitCode = 1;
}
