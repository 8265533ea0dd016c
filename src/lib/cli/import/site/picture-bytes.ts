import { readFile } from 'node:fs/promises';
import { Problem } from '../../../markdown-file/problem.ts';
import { locate } from '../walk.ts';
import type { Zip } from '../zip.ts';

/** The largest file that is handed on as a picture; what the site takes is less. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The first picture that is there.
 * @param root a real path; nothing outside of it is read, whatever paths and links say
 * @param paths below it, in the order in which they are tried
 * @returns null where none is a file, or all are too large
 */
export async function pictureBelow(root: string, paths: readonly string[]): Promise<Uint8Array | null> {
  for (const path of paths) {
    const found = locate(root, path);
    if (typeof found === 'object' && found.stats.size <= MOST_BYTES) return readFile(found.absolute);
  }
  return null;
}

/** A picture of a zip; null for one that is too large or damaged: its article comes all the same. */
export async function pictureInZip(zip: Zip, path: string): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  try {
    for await (const bytes of zip.stream(path, MOST_BYTES)) parts.push(bytes);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
  return Buffer.concat(parts);
}
