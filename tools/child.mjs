// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from './project.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] working folder, the project's by default
 * @property {NodeJS.ProcessEnv} [env] environment, this process's by default
 * @property {boolean} [toStderr] send the program's stdout to stderr
 * @property {boolean} [isSilent] discard the program's output
 * @property {boolean} [followCaller] stop the program when the process that started this one is gone
 */

/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the foreground and waits for it. Forwards signals to it.
 * @param {string} file executable
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null, wasNotified: boolean}>} how it
 * ended; `wasNotified`: this process received a signal. Rejects when the program cannot start.
 */
export function run(
  file,
  args,
  { cwd = root, env = process.env, toStderr = false, isSilent = false, followCaller = false } = {},
) {
  return new Promise((resolve, reject) => {
    // On Windows npm is a script, `npm.cmd`, which only a shell can start.
    const shell = process.platform === 'win32' && !/\.exe$/i.test(file);
    const child = spawn(file, args, {
      cwd,
      env,
      shell,
      stdio: isSilent ? 'ignore' : ['inherit', toStderr ? 2 : 'inherit', 'inherit'],
    });

    let wasNotified = false;
    /** @type {(signal: NodeJS.Signals) => void} */
    const forward = (signal) => {
      wasNotified = true;
      // Ctrl-C reaches the whole foreground group, so the child has already received it.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    for (const signal of passedOn) process.on(signal, forward);
    const watch = followCaller ? watchCaller(() => child.kill('SIGTERM')) : undefined;

    const done = () => {
      for (const signal of passedOn) process.off(signal, forward);
      clearInterval(watch);
    };
    child.on('error', (fault) => (done(), reject(fault)));
    child.on('exit', (code, signal) => (done(), resolve({ code, signal, wasNotified })));
  });
}

/**
 * Runs a program. Ends this process by the same signal when a signal ended the program.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<boolean>} whether it exited with code 0
 */
export async function succeeds(file, args, options) {
  const { code, signal } = await run(file, args, options);
  if (signal) endBy(signal);
  return code === 0;
}

/**
 * Runs a program and then exits with its exit code or signal.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<never>}
 */
export async function become(file, args, options) {
  const { code, signal } = await run(file, args, options);
  if (signal) endBy(signal);
  process.exit(code ?? 1);
}

/**
 * Replaces this process with the program, to free its memory. Returns if the system or this version of Node
 * (before 22.15) does not support it.
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [cwd] working folder
 */
export function replaceProcess(file, args, env, cwd = root) {
  if (process.platform === 'win32' || !process.execve) return;
  process.chdir(cwd);
  process.execve(file, [file, ...args], env);
}

/**
 * Ends this process by a signal, so shells and npm see the same result as from the program itself.
 * @param {NodeJS.Signals} signal
 */
function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * Calls `onExit` when npm is killed without passing the signal on (SIGKILL). Watches only under npm: a shell
 * that started this process with `&` may well exit first.
 * @param {() => void} onExit
 */
function watchCaller(onExit) {
  if (!process.env['npm_lifecycle_event']) return undefined;
  const callers = findCallers();
  const timer = setInterval(() => {
    if (findCallers() === callers) return;
    clearInterval(timer);
    onExit();
  }, 500);
  return timer;
}

/**
 * Returns the parent's process id and, when the parent is only the shell that npm runs the script in, also
 * the id of npm. Only Linux can tell (/proc); elsewhere it is the parent's id alone.
 */
function findCallers() {
  const parent = process.ppid;
  try {
    const isShell = /^\S*sh\0-c\0.*run\.mjs/s.test(readFileSync(`/proc/${parent}/cmdline`, 'utf8'));
    if (!isShell) return `${parent}`;
    const above = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${parent}/status`, 'utf8'))?.[1];
    return `${parent} ${above}`;
  } catch {
    return `${parent}`;
  }
}
