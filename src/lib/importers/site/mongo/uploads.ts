import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIB } from '../../../shared/units.ts';

const MAX_UPLOAD_BYTES = 64 * MIB;

export interface Uploads {
  /** Returns the bytes of a file; null if it is missing, a link, or too large. */
  read(name: string): Promise<Uint8Array | null>;
}

export function createUploads(folder: string | undefined): Uploads {
  return {
    async read(name) {
      if (folder === undefined || name === '' || name.startsWith('.') || /[/\\\0]/.test(name)) return null;
      const path = join(folder, name);
      const found = await lstat(path).catch(() => null);
      return found?.isFile() && found.size <= MAX_UPLOAD_BYTES ? readFile(path) : null;
    },
  };
}
