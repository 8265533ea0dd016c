import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';

/** Returns the modification time of a new file on the site's disk, in milliseconds since the epoch. */
export async function fileTime({ uploads, dataDir }: Config): Promise<number> {
  const folder = 'folder' in uploads && existsSync(uploads.folder) ? uploads.folder : dataDir;
  // If the process dies before removing the file, a cleanup job removes it from the uploads.
  const path = join(folder, `.${randomBytes(16).toString('hex')}.part`);
  try {
    await writeFile(path, '', { mode: 0o600, flag: 'wx' });
    return (await stat(path)).mtimeMs;
  } finally {
    await rm(path, { force: true });
  }
}
