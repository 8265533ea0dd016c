import { statfsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StorageUnavailableError } from '../../storage/storage.ts';
import type { Violation, WriteFault } from '../database.ts';

// SQLite's extended result codes, https://sqlite.org/rescode.html; the lowest byte is the primary one.
const BUSY = 5;
const FULL = 13;
/** CORRUPT, NOTADB. */
const DAMAGED = new Set([11, 26]);
const CORRUPT_VTAB = 267;
/** PERM, READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB. */
const UNAVAILABLE = new Set([3, 8, 10, 11, 14, 26]);
/** IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE, IOERR_SHMSIZE: perhaps a system's quota. */
const CANNOT_WRITE = new Set([778, 1034, 1546, 4874]);

export function writeFault(error: unknown): WriteFault | null {
  const cause = causeOf(error);
  if (primaryOf(cause) === FULL) return 'full';
  if (CANNOT_WRITE.has(errcodeOf(cause))) return 'perhaps full';
  return UNAVAILABLE.has(primaryOf(cause)) ? 'unwritable' : null;
}

/** Free bytes below which a disk counts as full: SQLite's shared memory grows by 32 KiB. */
const FULL_BELOW_BYTES = 1_048_576;

/**
 * Returns SQLite's reason, and that the disk of `folder` is full where SQLite only knows an I/O error.
 * @param measure returns the free bytes of a folder's disk
 */
export function reasonOfFault(error: unknown, folder: string, measure = freeBytesOf): string {
  const { message } = causeOf(error) as Error;
  if (writeFault(error) !== 'perhaps full') return message;
  const isFull = measure(folder) < FULL_BELOW_BYTES;
  return `${message}: ${isFull ? `the disk of ${folder} is full` : 'a quota is used up, or the disk is broken'}`;
}

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

const causeOf = (error: unknown): unknown => (error instanceof StorageUnavailableError ? error.cause : error);

const errcodeOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : 0;

const primaryOf = (error: unknown): number => errcodeOf(error) & 0xff;

const VIOLATION_KINDS: Record<number, Violation['kind']> = {
  275: 'check',
  787: 'foreign-key',
  1555: 'unique',
  2067: 'unique',
};

/**
 * SQLite names columns (`UNIQUE constraint failed: users.username_key`); returned as `users_username_key`.
 */
export function violation(error: unknown): Violation | null {
  const kind = VIOLATION_KINDS[errcodeOf(error)];
  if (!kind) return null;
  const place = /constraint failed: (.+)$/.exec((error as Error).message)?.[1] ?? '';
  const columns = place.split(', ').map((column) => column.split('.'));
  const table = columns[0]?.[0] ?? '';
  return { kind, constraint: [table, ...columns.map((column) => column[1] ?? '')].join('_') };
}

/**
 * Connections that found their file damaged. Damage of the search index alone does not count, because it can
 * be rebuilt.
 */
const damaged = new WeakSet<DatabaseSync>();

/** Runs `call` on `connection`; converts a storage fault to StorageUnavailableError. */
export function guarded<T>(connection: DatabaseSync, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (DAMAGED.has(primaryOf(error)) && errcodeOf(error) !== CORRUPT_VTAB) damaged.add(connection);
    const isUnavailable = UNAVAILABLE.has(primaryOf(error)) || isLocked(error);
    throw isUnavailable ? new StorageUnavailableError(error) : error;
  }
}

export const isDamaged = (connection: DatabaseSync): boolean => damaged.has(connection);

export const isLocked = (error: unknown): boolean => primaryOf(error) === BUSY;
