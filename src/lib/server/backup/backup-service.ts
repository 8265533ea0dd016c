import { refuse } from '../../contract/rules/errors.ts';
import { createJob } from '../jobs/jobs.ts';
import { createArchives } from './archives.ts';
import type { BackupSettings } from '../config/backup-settings.ts';
import { recordBackup, recordFailure, selectBackups } from './backup-queries.ts';
import type { Destination } from './places.ts';
import type { Schedule } from './schedule.ts';
import { MINUTE_MS } from '../../contract/rules/units.ts';
import type { AppParts } from '../services.ts';

/** The newest complete backup, scheduled or manual, and the error since then. Times are in milliseconds. */
export interface LastBackup {
  /** Null if there never was a backup. */
  time: number | null;
  bytes: number;
  /** Empty if the last attempt succeeded. */
  error: string;
}

interface Parts extends Pick<AppParts, 'db' | 'log' | 'now'> {
  /** Returns the schedule as it is set now; null without one. */
  schedule(): Promise<Schedule | null>;
  /** Returns the sentence for an error. */
  explain(error: unknown): string;
  /** Writes, lists and removes a small file at a destination; returns why that fails, or null. */
  tryPlace(to: BackupSettings['to']): Promise<string | null>;
}

export type Backups = ReturnType<typeof createBackups>;

/** Delay before a failed backup is retried; shorter if the backup interval is shorter. */
const RETRY_DELAY_MS = 10 * MINUTE_MS;
const WARNING_INTERVAL_MS = 60 * MINUTE_MS;
const NAME = /^moye-\d{8}T\d{6}Z\.tar\.zst$/;

/** Name of a scheduled archive; names sort by time. */
const nameAt = (instant: number): string =>
  `moye-${new Date(instant).toISOString().replace(/\.\d+|[-:]/g, '')}.tar.zst`;

/** Makes scheduled backups, in one process at a time, and reports the age of the newest backup. */
export function createBackups({ db, schedule: scheduleNow, explain, tryPlace, log, now }: Parts) {
  const startedAt = now();
  const archives = createArchives({ schedule: scheduleNow, explain, log, now, db });
  let warnedAt = -Infinity;
  /** Whether the operator has asked for a backup, and whether one is running in this process. */
  let isForced = false;
  let isRunning = false;

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
    const isResting = now() < failedAt + Math.min(everyMs, RETRY_DELAY_MS);
    if (!isForced && (!isDue || isResting)) return;
    isRunning = true;
    try {
      const done = await made.run(nameAt(now()), signal);
      await recordBackup(db, 'scheduled', done);
      log.info({ bytes: done.bytes, ms: now() - done.time }, 'backed up');
      await removeOldest(made.openDestination(), keep);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'backup failed');
      await recordFailure(db, 'scheduled', explain(error).slice(0, 500), now());
    }
  }

  async function removeOldest(destination: Destination, keep: number): Promise<void> {
    try {
      const found = (await destination.list()).map(({ name }) => name);
      const names = found.filter((name) => NAME.test(name)).sort();
      for (const name of names.slice(0, -keep)) await destination.remove(name);
    } finally {
      destination.close();
    }
  }

  async function warnWhenOld({ everyMs }: Schedule): Promise<void> {
    const { time, error } = await last();
    const ageMs = now() - (time ?? startedAt);
    if (ageMs <= 2 * everyMs || now() - warnedAt < Math.min(everyMs, WARNING_INTERVAL_MS)) return;
    warnedAt = now();
    const age = Math.round(ageMs / 1000);
    log.warn({ age, error }, time === null ? 'no backup yet' : 'last backup is too old');
  }

  async function look(signal: AbortSignal): Promise<number> {
    const schedule = await scheduleNow();
    if (!schedule) return MINUTE_MS;
    try {
      await db.alone(() => runWhenDue(schedule, signal), 'backup');
    } finally {
      isForced = isRunning = false;
    }
    await warnWhenOld(schedule);
    return Math.min(Math.max(schedule.everyMs / 10, 1_000), MINUTE_MS);
  }

  const job = createJob(look, {
    everyMs: MINUTE_MS,
    failed: (error) => log.warn({ err: error }, 'backup job failed'),
  });

  return {
    last,
    /** Interval in milliseconds, and place; null if the server makes no scheduled backups. */
    schedule: async (): Promise<Pick<Schedule, 'everyMs' | 'place'> | null> => scheduleNow(),
    tryPlace,
    ...archives,
    isRunning: () => isRunning,
    /** Begins a backup, unless one is running. Refuses with BACKUP_OFF. */
    async begin(): Promise<void> {
      if ((await scheduleNow()) === null) refuse('BACKUP_OFF');
      if (isRunning) return;
      isForced = isRunning = true;
      void job.run();
    },
    /** Time of the next scheduled backup in milliseconds; null without a schedule. */
    async next(): Promise<number | null> {
      const schedule = await scheduleNow();
      if (!schedule) return null;
      const row = (await selectBackups(db.read)).find(({ kind }) => kind === 'scheduled');
      return Math.max(row?.time ? row.time + schedule.everyMs : 0, now());
    },
    /** Makes a backup if one is due and no other process is making it; warns if the last one is too old. */
    look,
    /** Seconds since the state in the newest backup; Infinity if there never was a backup. */
    async age(): Promise<number> {
      const { time } = await last();
      return time === null ? Infinity : Math.max(0, (now() - time) / 1000);
    },
    start: job.start,
    /** Aborts a running backup or check, and waits until it has cleaned up. */
    async stop(): Promise<void> {
      await archives.stopCheck();
      await job.stop();
    },
  };
}
