import type { BackupJob } from '../operations/backup.ts';
import type { BackupSettings } from '../config/backup-settings.ts';
import { createBackups, type Backups } from '../backup/backup-service.ts';
import { openArchive } from '../backup/archive-reader.ts';
import { openDestination, tryDestination } from '../backup/destination.ts';
import type { CurrentUploads } from '../files/current-uploads.ts';
import type { CheckJob } from '../operations/check-backup.ts';
import { explain } from '../operations/explain.ts';
import type { Config } from '../config/config.ts';
import type { Core } from '../services.ts';
import type { Current } from '../settings/operator-settings.ts';
import { startThread } from '../jobs/thread.ts';

export function openBackups(
  config: Config,
  {
    settings,
    places,
    ...core
  }: Core & {
    settings: Current<BackupSettings | null>;
    places: CurrentUploads;
  },
): Backups {
  const { tokenSecret, dataDir, databaseUrl, diskReserveBytes, siteTimeZone } = config;
  const scheduleOf = ({ to, passphrase, ...times }: BackupSettings) => {
    const job: Omit<BackupJob, 'name' | 'site'> = {
      secret: passphrase === null ? null : { value: tokenSecret, passphrase },
      to,
    };
    const run = async (name: string, signal: AbortSignal) => {
      const site = { dataDir, databaseUrl, uploads: await places.place(), diskReserveBytes };
      return inThread<{ time: number; bytes: number }>({ ...job, site, name } satisfies BackupJob, signal);
    };
    return {
      ...times,
      place: placeOf(to),
      run,
      openDestination: () => openDestination(to),
      openArchive: (name: string) => openArchive({ place: to, name }),
      check: ({ name, bytes }: { name: string; bytes: number }, signal: AbortSignal) => {
        const site = { dataDir, siteTimeZone, diskReserveBytes };
        return inThread<string>({ from: { place: to, name }, bytes, site } satisfies CheckJob, signal);
      },
    };
  };
  return createBackups({
    ...core,
    schedule: async () => {
      const found = await settings.read();
      return found && scheduleOf(found);
    },
    explain,
    async tryPlace(to) {
      const found = await tryDestination(to);
      return found && explain(found.error);
    },
  });
}

const placeOf = (to: BackupSettings['to']): string =>
  'folder' in to ? to.folder : `s3://${to.s3.bucket}/${to.s3.prefix}`;

const SCRIPT = new URL('../operations/backup-worker.ts', import.meta.url);

/**
 * Runs a job (backup-worker.ts) in a worker thread, to keep the main thread responsive. Aborting `signal`
 * removes what is unfinished.
 * @throws the error that ended the job
 */
async function inThread<Reply>(job: object, signal: AbortSignal): Promise<Reply> {
  signal.throwIfAborted();
  const thread = startThread<object, Reply>(SCRIPT);
  signal.addEventListener('abort', thread.abort);
  try {
    return await thread.request(job);
  } finally {
    signal.removeEventListener('abort', thread.abort);
    await thread.stop();
  }
}
