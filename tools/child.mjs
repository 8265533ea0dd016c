// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from './project.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] working folder, the project's by default
 * @property {NodeJS.ProcessEnv} [env] environment, this process's by default
 * @property {boolean} [toStderr] send the program's stdout to stderr
 * @property {boolean} [isSilent] throw its output away
 * @property {boolean} [followCaller] stop the program when whoever called us is gone
 */

/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the foreground and waits for it. Signals sent to us reach it.
 * @param {string} file executable
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null, wasTold: boolean}>} how it ended,
 * and whether a signal had come to us; rejects when it cannot start
 */
export function run(
  file,
  args,
  { cwd = root, env = process.env, toStderr = false, isSilent = false, followCaller = false } = {},
) {
  return new Promise((resolve, reject) => {
    // npm is a script, `npm.cmd`, on Windows: only a shell can start it there.
    const shell = process.platform === 'win32' && !/\.exe$/i.test(file);
    const child = spawn(file, args, {
      cwd,
      env,
      shell,
      stdio: isSilent ? 'ignore' : ['inherit', toStderr ? 2 : 'inherit', 'inherit'],
    });

    let wasTold = false;
    /** @type {(signal: NodeJS.Signals) => void} */
    const forward = (signal) => {
      wasTold = true;
      // Ctrl-C reaches the whole foreground group: the child has it already.
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
    child.on('exit', (code, signal) => (done(), resolve({ code, signal, wasTold })));
  });
}

/**
 * Runs a program and refuses to go on when it fails.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<boolean>} whether it ended with code 0
 */
export async function succeeds(file, args, options) {
  const { code, signal } = await run(file, args, options);
  if (signal) endBy(signal);
  return code === 0;
}

/**
 * Becomes the program, as far as a caller can tell: same signals in, same exit code or signal out.
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
 * Replaces this process with the program, to free its memory. Returns where neither the
 * system nor this Node (before 22.15) can.
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function replaceProcess(file, args, env) {
  if (process.platform === 'win32' || !process.execve) return;
  process.chdir(root);
  process.execve(file, [file, ...args], env);
}

/**
 * Ends this process the way a signal does, so that shells and npm see the same as the program's own end.
 * @param {NodeJS.Signals} signal
 */
function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * Notices the end of npm when npm could not pass it on (SIGKILL). Only under npm: a shell that started us
 * with `&` may well end before us.
 * @param {() => void} onGone
 */
function watchCaller(onGone) {
  if (!process.env['npm_lifecycle_event']) return undefined;
  const callers = findCallers();
  const timer = setInterval(() => {
    if (findCallers() === callers) return;
    clearInterval(timer);
    onGone();
  }, 500);
  return timer;
}

/**
 * Our parent and, where that is only the shell in which npm runs a script, npm above it. Linux tells; others
 * do not.
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
