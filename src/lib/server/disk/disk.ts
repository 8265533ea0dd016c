import { randomBytes } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { PRIVATE_FILE } from '../data-folder.ts';
import type { Database } from '../db/database.ts';
import { tryWriting } from '../db/space-check.ts';
import type { Uploads } from '../files/uploads.ts';
import type { Log } from '../log.ts';
import { requireReserve, type MeasureDisk } from '../disk-reserve.ts';

/** Storage whose writes end with STORAGE_FULL where they find no room, and what is known of the disk. */
export interface Disk {
  /** The database given, but for that. */
  db: Database;
  /** The uploads given, but for that. */
  uploads: Uploads;
  /** Whether a write found no room, or `LOW_BYTES` are not free and a try, once in `CHECK_MS`, fails. */
  isFull(): Promise<boolean>;
}

interface Parts {
  db: Database;
  uploads: Uploads;
  /** Folders whose disks are watched; one that is not there is passed over. */
  folders: readonly string[];
  /** Bytes that only the database may use, where uploads are in a folder. */
  reserve?: { folder: string; bytes: number; measure?: MeasureDisk } | null;
  log: Pick<Log, 'error' | 'info'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

const CHECK_MS = 5_000;
const SAID_EVERY_MS = 60_000;
const RETRY_AFTER_S = 30;
const LOW_BYTES = 1024 * 1024;
/** Kept free of small gaps that a file system has left where nothing else fits. */
const TRIAL_BYTES = 64 * 1024;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Watches the disks under a site. */
export function createDisk({ db, uploads, folders, reserve = null, log, now }: Parts): Disk {
  let isFull = false;
  let saidAt = -Infinity;
  let checkedAt = -Infinity;
  let checking: Promise<boolean> | undefined;

  /** Passes on what a write came to; no room becomes a refusal, which the log tells once a minute. */
  async function watch<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      if (!(await isOutOfSpace(error))) throw error;
      isFull = true;
      if (now() - saidAt >= SAID_EVERY_MS) {
        saidAt = now();
        log.error({ err: error }, 'the disk is full: nothing can be saved until there is room');
      }
      return refuse('STORAGE_FULL', { retryAfter: RETRY_AFTER_S });
    }
  }

  async function isOutOfSpace(error: unknown): Promise<boolean> {
    if (hasNoRoom(error)) return true;
    const answer = db.outOfSpace(error);
    return answer === 'yes' || (answer === 'perhaps' && !(await haveRoom(folders)));
  }

  const keepReserve = async (): Promise<void> => {
    if (reserve) await requireReserve(reserve.folder, reserve.bytes, reserve.measure);
  };

  async function check(): Promise<boolean> {
    if (!isFull && !(await isLow(folders))) return false;
    const hasRoom =
      (await haveRoom(folders)) &&
      (await watch(tryWriting(db, TRIAL_BYTES)).then(
        () => true,
        (error: unknown) => !isRefusal(error, 'STORAGE_FULL'),
      ));
    if (hasRoom && isFull) log.info('there is room on the disk again');
    return !hasRoom;
  }

  return {
    db: { ...db, write: (work) => watch(db.write(work)) },
    uploads: {
      ...uploads,
      async write(bytes, ending) {
        await keepReserve();
        return watch(uploads.write(bytes, ending));
      },
      async put(name, bytes) {
        await keepReserve();
        return watch(uploads.put(name, bytes));
      },
    },
    async isFull() {
      if (checking) return checking;
      if (now() - checkedAt < CHECK_MS) return isFull;
      checkedAt = now();
      checking = check();
      try {
        return (isFull = await checking);
      } finally {
        checking = undefined;
      }
    },
  };
}

const hasNoRoom = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && NO_ROOM.has(String(error.code));

async function isLow(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const found = await statfs(folder).catch(() => null);
    // Some network file systems tell no sizes at all.
    if (found && found.blocks > 0 && found.bavail * found.bsize < LOW_BYTES) return true;
  }
  return false;
}

/** Whether a small file can be written into each folder. What fails for another reason is not about room. */
async function haveRoom(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    // Should this process end before it is removed, upkeep removes it among the uploads.
    const path = join(folder, `.${randomBytes(16).toString('hex')}.part`);
    try {
      await writeFile(path, randomBytes(TRIAL_BYTES), { mode: PRIVATE_FILE, flag: 'wx', flush: true });
    } catch (error) {
      if (hasNoRoom(error)) return false;
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
  }
  return true;
}
