import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { PRIVATE_FILE } from '../storage/data-folder.ts';
import type { Database, Trx } from '../db/database.ts';
import { tryWriting } from '../db/space-check.ts';
import type { Uploads } from '../files/uploads.ts';
import type { Log } from '../shared/log.ts';
import { measureDisk, requireReserve, type MeasureDisk } from '../storage/disk-reserve.ts';
import { asShared } from '../storage/storage.ts';
import { KIB, MIB, MINUTE_MS } from '../../contract/rules/units.ts';

/** Reason why storage refuses writes: no space, or read-only, damaged or failing. */
export type DiskFault = 'full' | 'unwritable';

export type Disk = ReturnType<typeof createDisk>;

interface Parts {
  db: Database;
  uploads: Uploads;
  folders: readonly string[];
  /** `isUsed`: whether uploads go to the folder. */
  reserve?: { folder: string; bytes: number; measure?: MeasureDisk; isUsed?(): boolean } | null;
  log: Pick<Log, 'error' | 'info'>;
  now: () => number;
}

const CHECK_INTERVAL_MS = 5_000;
const CHECK_TIMEOUT_MS = 2_000;
const LOG_INTERVAL_MS = MINUTE_MS;
const RETRY_AFTER_S = 30;
const LOW_BYTES = MIB;
/** Large enough that small leftover gaps in the file system do not make the trial write succeed. */
const TRIAL_BYTES = 64 * KIB;
const PROBE_BYTES = 16;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
const NOT_WRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO']);
const AGAIN: Record<DiskFault, string> = {
  full: 'the disk has free space again',
  unwritable: 'storage is writable again',
};
const LINES: Record<DiskFault, string> = {
  full: 'the disk is full: nothing can be saved until space is freed',
  unwritable: 'storage is not writable: nothing can be saved',
};

/** Wraps storage to refuse failed writes with STORAGE_FULL or UNAVAILABLE, and reports the current fault. */
export function createDisk({ db, uploads, folders, reserve = null, log, now }: Parts) {
  let fault: DiskFault | null = null;
  let saidAt = -Infinity;
  let checkedAt = -Infinity;
  let writtenAt = -Infinity;
  let checking: Promise<DiskFault | null> | undefined;

  /** Settles as the write does; a fault is remembered, turned into a refusal, and logged once a minute. */
  async function watch<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      const found = await faultOf(error);
      if (!found) throw error;
      if (now() - saidAt >= LOG_INTERVAL_MS || fault !== found) {
        saidAt = now();
        log.error({ err: error }, LINES[found]);
      }
      fault = found;
      if (found === 'unwritable' && isRefusal(error)) throw error;
      return refuse(found === 'full' ? 'STORAGE_FULL' : 'UNAVAILABLE', { retryAfter: RETRY_AFTER_S });
    }
  }

  async function watchWrite<T>(write: Promise<T>): Promise<T> {
    const result = await watch(write);
    writtenAt = now();
    return result;
  }

  /** An unwritable uploads folder is not a fault of the database. */
  async function watchUpload<T>(write: Promise<T>): Promise<T> {
    return watch(write).catch((error: unknown) => {
      if (!hasCode(error, NOT_WRITABLE)) throw error;
      log.error({ err: error }, 'uploads folder is not writable');
      return refuse('UNAVAILABLE', { retryAfter: RETRY_AFTER_S });
    });
  }

  const keepReserve = async (): Promise<void> => {
    if (reserve && (reserve.isUsed?.() ?? true))
      await requireReserve(reserve.folder, reserve.bytes, reserve.measure);
  };

  async function faultOf(error: unknown): Promise<DiskFault | null> {
    if (hasCode(error, NO_ROOM)) return 'full';
    const found = db.writeFault(error);
    if (found !== 'perhaps full') return found;
    return (await haveRoom(folders)) ? 'unwritable' : 'full';
  }

  async function check(): Promise<DiskFault | null> {
    const isTight = fault === 'full' || (await isLow(folders));
    if (!isTight && fault === null && now() - writtenAt < CHECK_INTERVAL_MS) return null;
    if (isTight && !(await haveRoom(folders))) return 'full';
    try {
      // Another process that is writing proves that storage can be written.
      if (!db.isBusy()) await tryWriting(db, isTight ? TRIAL_BYTES : PROBE_BYTES);
    } catch (error) {
      // A write that timed out on a lock proves nothing.
      return watch(Promise.reject(error as Error)).catch(async () => (await faultOf(error)) ?? fault);
    }
    if (fault !== null) log.info(AGAIN[fault]);
    return null;
  }

  return {
    db: {
      ...db,
      write: <T>(work: (trx: Trx) => Promise<T>) => watchWrite(db.write(work)),
      writeAside: <T>(work: (trx: Trx) => Promise<T>) => watchWrite(db.writeAside(work)),
    },
    uploads: {
      ...uploads,
      async put(name: string, bytes: Uint8Array) {
        await keepReserve();
        return watchUpload(uploads.put(name, bytes));
      },
    },
    /**
     * Returns the fault that the last write found, or null. Tries a write when none succeeded in the last
     * `CHECK_INTERVAL_MS` or less than `LOW_BYTES` are free; waits for it at most `CHECK_TIMEOUT_MS`.
     */
    async fault(): Promise<DiskFault | null> {
      if (!checking && now() - checkedAt >= CHECK_INTERVAL_MS) {
        checkedAt = now();
        checking = asShared(check)
          .then((found) => (fault = found))
          .finally(() => (checking = undefined));
      }
      return checking
        ? Promise.race([checking, sleep(CHECK_TIMEOUT_MS, undefined, { ref: false }).then(() => fault)])
        : fault;
    },
  };
}

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.has(String(error.code));

async function isLow(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const found = await measureDisk(folder);
    if (found && found.free < LOW_BYTES) return true;
  }
  return false;
}

/** Returns whether a small file can be written into each folder. Ignores errors other than lack of space. */
async function haveRoom(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    // If the process dies before removing the file, a cleanup job removes it from the uploads.
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
