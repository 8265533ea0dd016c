import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Larger ones are no pictures that a site takes, and are not read. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The flat folder in which the predecessor kept pictures. */
export interface Uploads {
  /** The bytes of the file of that name, null where there is none, or something that leads elsewhere. */
  read(name: string): Promise<Uint8Array | null>;
}

/** @param folder undefined where the operator has none */
export function createUploads(folder: string | undefined): Uploads {
  return {
    async read(name) {
      if (folder === undefined || name === '' || name.startsWith('.') || /[/\\\0]/.test(name)) return null;
      const path = join(folder, name);
      const found = await lstat(path).catch(() => null);
      return found?.isFile() && found.size <= MOST_BYTES ? readFile(path) : null;
    },
  };
}
