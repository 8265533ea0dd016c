import type { BackupJob } from '../operations/backup.ts';
import type { BackupSettings } from '../config/backup-settings.ts';
import { createBackups, type Backups } from '../backup/backup-service.ts';
import { backUpInThread } from '../backup/backup-thread.ts';
import { openDestination } from '../backup/destination.ts';
import type { Config } from '../config/config.ts';
import type { Core } from '../services.ts';

export function openBackups(config: Config, core: Core): Backups {
  const { backup: settings, tokenSecret, dataDir, databaseUrl, uploads, diskReserveBytes } = config;
  if (!settings) return createBackups({ ...core, schedule: null });
  const { to, passphrase } = settings;
  const job: Omit<BackupJob, 'name'> = {
    site: { dataDir, databaseUrl, uploads, diskReserveBytes },
    secret: passphrase === null ? null : { value: tokenSecret, passphrase },
    to,
  };
  const run = (name: string, signal: AbortSignal) => backUpInThread({ ...job, name }, signal);
  return createBackups({
    ...core,
    schedule: { ...settings, place: placeOf(to), run, openDestination: () => openDestination(to) },
  });
}

const placeOf = (to: BackupSettings['to']): string =>
  'folder' in to ? to.folder : `s3://${to.s3.bucket}/${to.s3.prefix}`;
