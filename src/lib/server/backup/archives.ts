import type { Readable } from 'node:stream';
import { refuse } from '../../contract/rules/errors.ts';
import type { AppParts } from '../services.ts';
import { selectCheck, storeCheck, type ArchiveCheck } from './backup-queries.ts';
import type { Listed } from './places.ts';
import type { Schedule } from './schedule.ts';

interface Parts extends Pick<AppParts, 'db' | 'log' | 'now'> {
  schedule(): Promise<Schedule | null>;
  explain(error: unknown): string;
}

const ENDING = '.tar.zst';
const MAX_LISTED = 200;

/** Archives at the destination: list, download, and a check that restores one into a temporary database. */
export function createArchives({ db, schedule: scheduleNow, explain, log, now }: Parts) {
  let checking: { name: string; stop: AbortController; done: Promise<void> } | null = null;

  async function listArchives(): Promise<Listed[]> {
    const destination = (await scheduleNow())?.openDestination();
    if (!destination) return [];
    try {
      const found = (await destination.list()).filter(({ name }) => name.endsWith(ENDING));
      return found.sort((one, other) => other.time - one.time).slice(0, MAX_LISTED);
    } finally {
      destination.close();
    }
  }

  /** Refuses with BACKUP_OFF, and FILE_NOT_FOUND for a name that is not in the list. */
  async function requireArchive(name: string): Promise<{ schedule: Schedule; archive: Listed }> {
    const schedule = (await scheduleNow()) ?? refuse('BACKUP_OFF');
    const archive = (await listArchives()).find((each) => each.name === name);
    return { schedule, archive: archive ?? refuse('FILE_NOT_FOUND') };
  }

  async function check(schedule: Schedule, archive: Listed, signal: AbortSignal): Promise<void> {
    const { name } = archive;
    const result = await schedule.check(archive, signal).then(
      (text) => ({ isSound: true, text }),
      (error: unknown) => ({ isSound: false, text: explain(error).slice(0, 500) }),
    );
    if (signal.aborted) return;
    log.info({ archive: name, ...result }, 'backup checked');
    await storeCheck(db, { name, time: now(), ...result });
  }

  return {
    /** Newest first, at most 200; with the reason if the destination cannot be read. */
    async archives(): Promise<{ items: Listed[]; problem: string }> {
      try {
        return { items: await listArchives(), problem: '' };
      } catch (error) {
        return { items: [], problem: explain(error) };
      }
    },
    requireArchive,
    async openArchive(name: string): Promise<{ stream: Readable; bytes: number; close(): void }> {
      const { schedule, archive } = await requireArchive(name);
      const reader = schedule.openArchive(name);
      return { stream: reader.open().stream, bytes: archive.bytes, close: reader.close };
    },
    /** Begins to check an archive, unless one is being checked. Refuses as `requireArchive`. */
    async beginCheck(name: string): Promise<void> {
      const { schedule, archive } = await requireArchive(name);
      if (checking) return;
      const stop = new AbortController();
      const done = check(schedule, archive, stop.signal)
        .catch((error: unknown) => log.error({ err: error }, 'checking a backup failed'))
        .finally(() => (checking = null));
      checking = { name, stop, done };
    },
    /** Name of the archive that this process is checking, and the result of the last check on any node. */
    checkState: async (): Promise<{ running: string | null; last: ArchiveCheck | null }> => ({
      running: checking?.name ?? null,
      last: await selectCheck(db.read),
    }),
    async stopCheck(): Promise<void> {
      checking?.stop.abort();
      await checking?.done;
    },
  };
}
