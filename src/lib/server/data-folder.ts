import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folder `path` and the folders above it where they are missing.
 * @throws the system's error when that is impossible, or when `path` is not a folder
 */
export function ensureFolder(path: string): void {
  // Not mkdirSync's `recursive`: it never returns on file systems that answer ENOENT, such as /proc.
  if (!existsSync(path)) {
    const parent = dirname(path);
    if (parent !== path) ensureFolder(parent);
    try {
      mkdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`);
}
