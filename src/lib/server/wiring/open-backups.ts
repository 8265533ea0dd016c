import type { BackupJob } from '../operations/backup.ts';
import type { BackupSettings } from '../config/backup-settings.ts';
import { createBackups, type Backups } from '../backup/backup-service.ts';
import { backUpInThread } from '../backup/backup-thread.ts';
import { openDestination } from '../backup/destination.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../shared/log.ts';

interface Parts {
  config: Config;
  db: Database;
  log: Log;
  now: () => number;
}

export function openBackups({ config, db, log, now }: Parts): Backups {
  const { backup: settings, tokenSecret, dataDir, databaseUrl, uploads, diskReserveBytes } = config;
  if (!settings) return createBackups({ db, schedule: null, log, now });
  const { to, passphrase } = settings;
  const job: Omit<BackupJob, 'name'> = {
    site: { dataDir, databaseUrl, uploads, diskReserveBytes },
    secret: passphrase === null ? null : { value: tokenSecret, passphrase },
    to,
  };
  const run = (name: string, signal: AbortSignal) => backUpInThread({ ...job, name }, signal);
  return createBackups({
    db,
    schedule: { ...settings, place: placeOf(to), run, openDestination: () => openDestination(to) },
    log,
    now,
  });
}

const placeOf = (to: BackupSettings['to']): string =>
  'folder' in to ? to.folder : `s3://${to.s3.bucket}/${to.s3.prefix}`;
