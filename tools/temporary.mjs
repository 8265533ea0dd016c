// @ts-check
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Bytes: a whole run needs up to 2 GiB. */
const NEEDED = 4 * 1024 ** 3;
const PREFIX = 'moye-tests-';

/**
 * Makes a folder in memory for the files of tests, whose databases would wait for the disk at each commit.
 * It is removed when this process exits; one that a killed process left is removed by the next.
 * @returns {string | undefined} its path; undefined if there is no such file system with enough room
 */
export function makeTemporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED) return undefined;
    for (const name of readdirSync(MEMORY)) {
      if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
        remove(join(MEMORY, name));
    }
    const folder = join(MEMORY, `${PREFIX}${process.pid}`);
    // PostgreSQL runs as another system account when the tests run as root.
    mkdirSync(folder, { mode: 0o755 });
    process.once('exit', () => remove(folder));
    return folder;
  } catch {
    return undefined;
  }
}

const remove = (/** @type {string} */ folder) => rmSync(folder, { recursive: true, force: true });

function isRunning(/** @type {number} */ pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
