import { randomBytes } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { PRIVATE_FILE } from '../data-folder.ts';
import type { Database } from '../db/database.ts';
import { tryWriting } from '../db/space-check.ts';
import type { Uploads } from '../files/uploads.ts';
import type { Log } from '../log.ts';
import { requireReserve, type MeasureDisk } from '../disk-reserve.ts';
import { asShared } from '../storage.ts';

/** Why nothing can be saved: no room, or storage is read-only, damaged or out of order. */
export type DiskFault = 'full' | 'unwritable';

/**
 * Storage whose failed writes are refused with STORAGE_FULL or UNAVAILABLE, and its current fault.
 */
export interface Disk {
  /** The database given, but for that. */
  db: Database;
  /** The uploads given, but for that. */
  uploads: Uploads;
  /**
   * The fault that the last write found, or null. Where no write succeeded in the last `CHECK_MS`, or less
   * than `LOW_BYTES` are free, one is tried; the answer does not wait for it longer than `ANSWER_MS`.
   */
  fault(): Promise<DiskFault | null>;
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
const ANSWER_MS = 2_000;
const SAID_EVERY_MS = 60_000;
const RETRY_AFTER_S = 30;
const LOW_BYTES = 1024 * 1024;
/** Kept free of small gaps that a file system has left where nothing else fits. */
const TRIAL_BYTES = 64 * 1024;
const PROBE_BYTES = 16;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
const NOT_WRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO']);
const AGAIN: Record<DiskFault, string> = {
  full: 'there is room on the disk again',
  unwritable: 'storage can be written again',
};
const LINES: Record<DiskFault, string> = {
  full: 'the disk is full: nothing can be saved until there is room',
  unwritable: 'storage cannot be written: nothing can be saved',
};

/** Watches the disks under a site. */
export function createDisk({ db, uploads, folders, reserve = null, log, now }: Parts): Disk {
  let fault: DiskFault | null = null;
  let saidAt = -Infinity;
  let checkedAt = -Infinity;
  /** When a write last succeeded. */
  let writtenAt = -Infinity;
  let checking: Promise<DiskFault | null> | undefined;

  /**
   * Passes on what a write came to; a fault is remembered, becomes a refusal, and is logged once a minute.
   */
  async function watch<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      const found = await faultOf(error);
      if (!found) throw error;
      if (now() - saidAt >= SAID_EVERY_MS || fault !== found) {
        saidAt = now();
        log.error({ err: error }, LINES[found]);
      }
      fault = found;
      if (found === 'unwritable' && isRefusal(error)) throw error;
      return refuse(found === 'full' ? 'STORAGE_FULL' : 'UNAVAILABLE', { retryAfter: RETRY_AFTER_S });
    }
  }

  /** A folder that cannot be written says nothing of the database. */
  async function watchUpload<T>(write: Promise<T>): Promise<T> {
    return watch(write).catch((error: unknown) => {
      if (!hasCode(error, NOT_WRITABLE)) throw error;
      log.error({ err: error }, 'the folder of uploads cannot be written');
      return refuse('UNAVAILABLE', { retryAfter: RETRY_AFTER_S });
    });
  }

  const keepReserve = async (): Promise<void> => {
    if (reserve) await requireReserve(reserve.folder, reserve.bytes, reserve.measure);
  };

  async function faultOf(error: unknown): Promise<DiskFault | null> {
    if (hasCode(error, NO_ROOM)) return 'full';
    const found = db.writeFault(error);
    if (found !== 'perhaps full') return found;
    return (await haveRoom(folders)) ? 'unwritable' : 'full';
  }

  async function check(): Promise<DiskFault | null> {
    const isTight = fault === 'full' || (await isLow(folders));
    if (!isTight && fault === null && now() - writtenAt < CHECK_MS) return null;
    if (isTight && !(await haveRoom(folders))) return 'full';
    try {
      // Another process that is writing proves that storage can be written.
      if (!db.isBusy()) await tryWriting(db, isTight ? TRIAL_BYTES : PROBE_BYTES);
    } catch (error) {
      // A write that had to wait too long says nothing.
      return watch(Promise.reject(error as Error)).catch(async () => (await faultOf(error)) ?? fault);
    }
    if (fault !== null) log.info(AGAIN[fault]);
    return null;
  }

  return {
    db: {
      ...db,
      async write(work) {
        const result = await watch(db.write(work));
        writtenAt = now();
        return result;
      },
    },
    uploads: {
      ...uploads,
      async write(bytes, ending) {
        await keepReserve();
        return watchUpload(uploads.write(bytes, ending));
      },
      async put(name, bytes) {
        await keepReserve();
        return watchUpload(uploads.put(name, bytes));
      },
    },
    async fault() {
      if (!checking && now() - checkedAt >= CHECK_MS) {
        checkedAt = now();
        checking = asShared(check)
          .then((found) => (fault = found))
          .finally(() => (checking = undefined));
      }
      return checking
        ? Promise.race([checking, sleep(ANSWER_MS, undefined, { ref: false }).then(() => fault)])
        : fault;
    },
  };
}

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.has(String(error.code));

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
      if (hasCode(error, NO_ROOM)) return false;
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
  }
  return true;
}
