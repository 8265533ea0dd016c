import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import { createJob } from '../jobs.ts';
import type { BackupSettings } from '../backup-settings.ts';
import { recordBackup, recordFailure, selectBackups } from './backup-queries.ts';
import type { Destination } from './destination.ts';

/** The newest whole backup, by schedule or by hand, and what went wrong since. Milliseconds. */
export interface LastBackup {
  /** Null: there never was one. */
  time: number | null;
  bytes: number;
  /** Empty: the last attempt went well. */
  error: string;
}

/** How often, how many are kept, and how they are made. */
interface Schedule extends Pick<BackupSettings, 'everyMs' | 'keep'> {
  /** Makes an archive of that name, off this thread. */
  run(name: string, signal: AbortSignal): Promise<{ time: number; bytes: number }>;
  openDestination(): Destination;
  /** Where they go, as the operator would say it. */
  place: string;
}

interface Parts {
  db: Database;
  /** Null where the server makes none by itself. */
  schedule: Schedule | null;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  now?: () => number;
}

export type Backups = ReturnType<typeof createBackups>;

const MINUTE_MS = 60_000;
/** What failed is tried again after this, or after the time between two backups where that is shorter. */
const RETRY_MS = 10 * MINUTE_MS;
const WARN_EVERY_MS = 60 * MINUTE_MS;
const NAME = /^moye-\d{8}T\d{6}Z\.tar\.zst$/;

/** Name of the scheduled archive of that instant; the names sort as their times do. */
const nameAt = (instant: number): string =>
  `moye-${new Date(instant).toISOString().replace(/\.\d+|[-:]/g, '')}.tar.zst`;

/** Backs the site up every so often, on one process at a time, and knows how old the last backup is. */
export function createBackups({ db, schedule, log, now = Date.now }: Parts) {
  const startedAt = now();
  let warnedAt = -Infinity;

  async function last(): Promise<LastBackup> {
    const rows = await selectBackups(db.read);
    const newest = rows.reduce((time, row) => Math.max(time, row.time ?? -Infinity), -Infinity);
    const whole = rows.find(({ time }) => time === newest);
    const failed = rows.find(({ error_time: time }) => time !== null && time >= newest);
    return { time: whole?.time ?? null, bytes: whole?.bytes ?? 0, error: failed?.error ?? '' };
  }

  async function runWhenDue({ everyMs, keep, ...made }: Schedule, signal: AbortSignal): Promise<void> {
    const row = (await selectBackups(db.read)).find(({ kind }) => kind === 'scheduled');
    const failedAt = row?.error_time ?? -Infinity;
    const isDue = now() >= (row?.time ?? -Infinity) + everyMs;
    if (!isDue || now() < failedAt + Math.min(everyMs, RETRY_MS)) return;
    try {
      const done = await made.run(nameAt(now()), signal);
      await recordBackup(db, 'scheduled', done);
      log.info({ bytes: done.bytes, ms: now() - done.time }, 'backed up');
      await removeOldest(made.openDestination(), keep);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'the backup failed');
      const message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      await recordFailure(db, 'scheduled', message, now());
    }
  }

  async function removeOldest(destination: Destination, keep: number): Promise<void> {
    try {
      const names = (await destination.list()).filter((name) => NAME.test(name)).sort();
      for (const name of names.slice(0, -keep)) await destination.remove(name);
    } finally {
      destination.close();
    }
  }

  async function warnWhenOld({ everyMs }: Schedule): Promise<void> {
    const { time, error } = await last();
    const ageMs = now() - (time ?? startedAt);
    if (ageMs <= 2 * everyMs || now() - warnedAt < Math.min(everyMs, WARN_EVERY_MS)) return;
    warnedAt = now();
    const age = Math.round(ageMs / 1000);
    log.warn({ age, error }, time === null ? 'there is no backup yet' : 'the last backup is too old');
  }

  async function look(signal: AbortSignal): Promise<void> {
    if (!schedule) return;
    await db.alone(() => runWhenDue(schedule, signal), 'backup');
    await warnWhenOld(schedule);
  }

  const job = schedule
    ? createJob(look, {
        everyMs: Math.min(Math.max(schedule.everyMs / 10, 1_000), MINUTE_MS),
        failed: (error) => log.warn({ err: error }, 'backups could not be looked after'),
      })
    : null;

  return {
    last,
    /** Milliseconds between two; null where the server makes none by itself. */
    everyMs: schedule?.everyMs ?? null,
    place: schedule?.place ?? '',
    /** Makes a backup if it is time for one, unless another process is at it, and warns of an old one. */
    look,
    /** Seconds since the state that the newest backup holds; Infinity where there is none. */
    async age(): Promise<number> {
      const { time } = await last();
      return time === null ? Infinity : Math.max(0, (now() - time) / 1000);
    },
    start: () => job?.start(),
    /** Gives up what is under way and waits until nothing of it is left. */
    async stop(): Promise<void> {
      await job?.stop();
    },
  };
}
