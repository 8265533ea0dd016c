import type { BackupJob } from '../operations/backup.ts';
import type { BackupSettings } from '../config/backup-settings.ts';
import { createBackups, type Backups } from '../backup/backup-service.ts';
import { openDestination } from '../backup/destination.ts';
import type { Config } from '../config/config.ts';
import type { Core } from '../services.ts';
import type { Current } from '../settings/operator-settings.ts';
import { startThread } from '../jobs/thread.ts';

export function openBackups(
  config: Config,
  { settings, ...core }: Core & { settings: Current<BackupSettings | null> },
): Backups {
  const { tokenSecret, dataDir, databaseUrl, uploads, diskReserveBytes } = config;
  const scheduleOf = ({ to, passphrase, ...times }: BackupSettings) => {
    const job: Omit<BackupJob, 'name'> = {
      site: { dataDir, databaseUrl, uploads, diskReserveBytes },
      secret: passphrase === null ? null : { value: tokenSecret, passphrase },
      to,
    };
    const run = (name: string, signal: AbortSignal) => backUpInThread({ ...job, name }, signal);
    return { ...times, place: placeOf(to), run, openDestination: () => openDestination(to) };
  };
  return createBackups({
    ...core,
    schedule: async () => {
      const found = await settings.read();
      return found && scheduleOf(found);
    },
  });
}

const placeOf = (to: BackupSettings['to']): string =>
  'folder' in to ? to.folder : `s3://${to.s3.bucket}/${to.s3.prefix}`;

const SCRIPT = new URL('../operations/backup-worker.ts', import.meta.url);

/**
 * Runs a job (backup.ts) in a worker thread, to keep the main thread responsive. Aborting `signal` removes
 * the unfinished archive.
 * @throws the error that ended the job
 */
async function backUpInThread(job: object, signal: AbortSignal): Promise<{ time: number; bytes: number }> {
  signal.throwIfAborted();
  const thread = startThread<object, { time: number; bytes: number }>(SCRIPT);
  signal.addEventListener('abort', thread.abort);
  try {
    return await thread.request(job);
  } finally {
    signal.removeEventListener('abort', thread.abort);
    await thread.stop();
  }
}
