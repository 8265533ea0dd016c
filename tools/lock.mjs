// @ts-check
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './project.mjs';

const heartbeatMs = 2_000;
const staleMs = 20_000;

/**
 * Runs a task while holding a lock folder, so commands that start at the same time take turns. Breaks the
 * lock of a dead holder: as soon as its process is known to be dead, otherwise once its heartbeat is 20 s
 * old.
 * @template T
 * @param {string} folder the lock; exists while held
 * @param {() => Promise<T>} task
 * @returns {Promise<T>} result of the task; the lock is released even when the task fails
 */
export async function withLock(folder, task) {
  const token = `${process.pid} ${Date.now()} ${Math.random()}`;
  await acquire(folder, token);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => {});
  }, heartbeatMs);
  try {
    return await task();
  } finally {
    clearInterval(heartbeat);
    if ((await ownerOf(folder)) === token) await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} token */
async function acquire(folder, token) {
  for (let announced = false; ;) {
    try {
      await mkdir(folder);
      await writeFile(`${folder}/owner`, token);
      return;
    } catch (fault) {
      if (/** @type {NodeJS.ErrnoException} */ (fault).code !== 'EEXIST') throw fault;
    }
    const owner = await ownerOf(folder);
    if (await isStale(folder, owner)) {
      await removeStale(folder, owner);
      continue;
    }
    if (!announced) say('另一个命令正在准备，等待其完成… / Waiting for another command to finish preparing…');
    announced = true;
    await sleep(300);
  }
}

/** @param {string} folder @returns {Promise<string>} the holder's token, '' without a holder */
const ownerOf = (folder) => readFile(`${folder}/owner`, 'utf8').catch(() => '');

/** @param {string} folder @param {string} owner */
async function isStale(folder, owner) {
  const age = await stat(folder).then(
    (stats) => Date.now() - stats.mtimeMs,
    () => 0,
  );
  if (age > staleMs) return true;
  const pid = Number(owner.split(' ')[0]);
  // The heartbeat must be overdue as well: the holder may run in another container, where its process id is
  // not visible.
  return pid > 0 && age > 2 * heartbeatMs && !isAlive(pid);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return /** @type {NodeJS.ErrnoException} */ (fault).code === 'EPERM';
  }
}

/**
 * Removes a stale lock. Renaming is atomic, so of several processes that find the lock stale only one gets
 * it. A process that was too late and moved the next holder's lock moves it back.
 * @param {string} folder @param {string} staleOwner
 */
async function removeStale(folder, staleOwner) {
  const aside = `${folder}.${process.pid}.${Date.now()}`;
  try {
    await rename(folder, aside);
  } catch {
    return;
  }
  if ((await ownerOf(aside)) === staleOwner) await rm(aside, { recursive: true, force: true });
  else await rename(aside, folder);
}
