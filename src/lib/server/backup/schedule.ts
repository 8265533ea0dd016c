import type { BackupSettings } from '../config/backup-settings.ts';
import type { ArchiveReader, Destination } from './places.ts';

/** When the server makes backups by itself, and how. */
export interface Schedule extends Pick<BackupSettings, 'everyMs' | 'keep'> {
  run(name: string, signal: AbortSignal): Promise<{ time: number; bytes: number }>;
  openDestination(): Destination;
  openArchive(name: string): ArchiveReader;
  /**
   * Restores an archive into a temporary database, and removes it again. Returns what was in it, as a
   * sentence. @throws why it cannot be restored
   */
  check(archive: { name: string; bytes: number }, signal: AbortSignal): Promise<string>;
  place: string;
}
