import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from '../backup/format.ts';
import type { ArchivePlace } from '../config/backup-settings.ts';
import type { Config } from '../config/config.ts';
import { ensureFolder } from '../storage/data-folder.ts';
import { measureDisk } from '../storage/disk-reserve.ts';
import { DATABASE_FILE } from './databases.ts';
import { restoreBackup } from './restore.ts';

export interface CheckJob {
  from: ArchivePlace;
  /** Size of the archive. */
  bytes: number;
  site: Pick<Config, 'dataDir' | 'siteTimeZone' | 'diskReserveBytes'>;
}

/** Folder in DATA_DIR; a killed check leaves it, and the next one removes it. */
const FOLDER = 'backup-check';
/** Disk space of a restored site, by the size of its archive. */
const GROWTH = 5;

/**
 * Restores an archive into a temporary SQLite database, whatever the engine of the site, and removes it.
 * Returns a sentence on its content. @throws as restoreBackup
 */
export async function checkBackup({ from, bytes, site }: CheckJob, signal: AbortSignal): Promise<string> {
  const dataDir = join(site.dataDir, FOLDER);
  await rm(dataDir, { recursive: true, force: true });
  const free = (await measureDisk(site.dataDir))?.free ?? Infinity;
  if (free < GROWTH * bytes + site.diskReserveBytes)
    throw new BackupError(`${site.dataDir} 所在的磁盘放不下恢复出来的网站，没有核对`);
  try {
    ensureFolder(dataDir, true);
    const { manifest } = await restoreBackup({
      from,
      to: { engine: 'sqlite', file: join(dataDir, DATABASE_FILE) },
      site: {
        ...site,
        dataDir,
        databaseUrl: null,
        uploads: { folder: join(dataDir, 'uploads') },
        secret: null,
        passphrase: null,
      },
      signal,
      onProgress: () => {},
    });
    const articles = manifest.tables.find(({ name }) => name === 'articles')?.rows ?? 0;
    return `能恢复：${articles} 篇文章、${manifest.files.length} 个图片文件，都和清单一致`;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
