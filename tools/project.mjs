// @ts-check
// Paths and messages that all tools share. Plain JavaScript for Node 18 and later, because these files run
// before the pinned Node is installed.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Returns an absolute path in the project.
 * @param {...string} parts path relative to the project root
 */
export const inRoot = (...parts) => join(root, ...parts);

/**
 * Prints a progress message. Uses stderr, so `npm run moye -- export > file` keeps stdout clean.
 * @param {string} message one line: Chinese, then English
 */
export const say = (message) => void process.stderr.write(`[moye] ${message}\n`);

/** An error whose message is all the user needs; printed without a stack trace. */
export class ToolError extends Error {}

/**
 * Path of the Node binary that the npm package `node` provides; the file may not exist.
 * @param {string} [modules] folder of the package
 */
export const pinnedNode = (modules = inRoot('node_modules')) =>
  join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * Returns the Node that runs the project: the pinned one, or the current one when the pinned package has no
 * binary for this machine (`ensureInstalled` has checked that it is new enough).
 * @returns {string} path of an executable
 */
export const projectNode = () => (existsSync(pinnedNode()) ? pinnedNode() : process.execPath);

/** Compile cache of the server. It belongs to a build, so it is stored in dist. */
export const compileCache = () => inRoot('dist', '.compile-cache');

/**
 * Environment variables that let the server return memory to the system, read from deploy/memory.env.
 * @returns {Record<string, string>}
 */
export const memorySettings = () =>
  Object.fromEntries(
    [...readFileSync(inRoot('deploy', 'memory.env'), 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

/**
 * Options of Node for the operator's commands. A heap that grows slowly keeps the memory of an import low:
 * docs/features/markdown-import.md.
 */
export const moyeOptions = ['--max-semi-space-size=4', '--heap-growing-percent=8'];

/**
 * Arguments for Node that run one of the operator's commands.
 * @param {string[]} words
 */
export const moyeArguments = (words) => [...moyeOptions, inRoot('src', 'lib', 'cli', 'moye.ts'), ...words];
