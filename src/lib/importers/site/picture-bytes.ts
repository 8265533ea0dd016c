import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Problem } from '../../markdown-file/problem.ts';
import { locate } from '../folder/walk.ts';
import type { Zip } from '../zip.ts';
import { MIB } from '../../contract/rules/units.ts';

/** Maximum bytes of a file that is read as a picture; the site itself accepts less. */
const MAX_PICTURE_BYTES = 64 * MIB;

/**
 * Returns a function that reads the first picture that exists, by paths in order of preference. It returns
 * null if none is a file, or all are too large. Nothing outside the folder is read, whatever paths and links
 * say.
 * @param folder if undefined, no picture is found
 * @throws the system's error if the folder does not exist
 */
export function openPictures(
  folder: string | undefined,
): (paths: readonly string[]) => Promise<Uint8Array | null> {
  const root = folder === undefined ? undefined : realpathSync(folder);
  return async (paths) => {
    if (root === undefined) return null;
    for (const path of paths) {
      const found = locate(root, path);
      if (typeof found === 'object' && found.stats.size <= MAX_PICTURE_BYTES) return readFile(found.absolute);
    }
    return null;
  };
}

/** Reads a picture from a zip; null if it is too large or damaged, since its article is imported anyway. */
export async function pictureInZip(zip: Zip, path: string): Promise<Uint8Array | null> {
  try {
    return Buffer.concat(await Array.fromAsync(zip.stream(path, MAX_PICTURE_BYTES)));
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
