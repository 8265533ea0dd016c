import { statSync } from 'node:fs';
import type { SitePlaces } from '../server/config/config.ts';
import { UsageError } from './explain.ts';

/**
 * Refuses a command that needs a site, before anything creates a folder, a secret or a schema.
 * @throws UsageError if the database is missing or empty; StorageUnusableError; errors of the file system
 */
export async function requireSite(site: SitePlaces): Promise<void> {
  const { openSnapshot, placeIn } = await import('../server/operations/databases.ts');
  const place = placeIn(site);
  if (place.engine === 'sqlite') {
    if ((statSync(place.file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    throw new UsageError(
      `${site.dataDir} 里没有站点的数据库：请把 DATA_DIR 设为服务所用的文件夹，或先启动一次服务`,
    );
  }
  const snapshot = await openSnapshot(place);
  await snapshot.close();
  if (snapshot.version === 0)
    throw new UsageError('DATABASE_URL 的数据库里没有站点：请检查这个地址，或先启动一次服务');
}
