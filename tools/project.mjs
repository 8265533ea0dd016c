// @ts-check
// What every tool needs to know about the project. Plain JavaScript for Node 18 and later: these files run
// before the project's own Node is there.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Absolute path of something in the project.
 * @param {...string} parts path below the project's folder
 */
export const inRoot = (...parts) => join(root, ...parts);

/**
 * Says what is going on. Goes to stderr, so that `npm run moye -- export > file` keeps a clean stdout.
 * @param {string} message one line: Chinese, then English
 */
export const say = (message) => void process.stderr.write(`[moye] ${message}\n`);

/** A fault whose message is all a person needs; shown without a stack. */
export class ToolError extends Error {}

/** The Node binary that the npm package `node` brings, whether or not it is there. */
export const pinnedNode = () =>
  inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The Node that runs the project: the pinned one, or the one running now where no pinned binary exists for
 * the machine (`ensureInstalled` has made sure that it is new enough).
 * @returns {string} path of an executable
 */
export const projectNode = () => (existsSync(pinnedNode()) ? pinnedNode() : process.execPath);

/** Where the server's compiled code is kept between starts, with the build it belongs to. */
export const compileCache = () => inRoot('dist', '.compile-cache');

/**
 * Environment in which the server gives memory back: the lines of deploy/memory.env.
 * @returns {Record<string, string>}
 */
export const memorySettings = () =>
  Object.fromEntries(
    [...readFileSync(inRoot('deploy', 'memory.env'), 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
