import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../src/lib/server/files/folder.ts';
import { createS3 } from '../../src/lib/server/files/s3.ts';
import type { Uploads } from '../../src/lib/server/files/uploads.ts';
import { openS3Storage } from './s3-storage.ts';

/** Storage of uploads, with direct access for tests. */
export interface Place {
  uploads: Uploads;
  names(): Promise<string[]>;
  /** Stores a file that no upload created. */
  plant(name: string, written: Date): Promise<void>;
  touch(name: string, written: Date): Promise<void>;
  /** `lose` makes all further operations fail; `find` undoes it. */
  lose(): Promise<void>;
  find(): Promise<void>;
  close(): Promise<void>;
}
export type OpenPlace = (folder: string) => Promise<Place>;

export const inFolder: OpenPlace = async (folder) => {
  const directory = join(folder, 'uploads');
  const away = join(folder, 'away');
  const uploads = createFolder(directory);
  const touch = (name: string, written: Date) => utimes(join(directory, name), written, written);
  return {
    uploads,
    names: async () => (await readdir(directory).catch(() => [])).toSorted((a, b) => a.localeCompare(b)),
    async plant(name, written) {
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, name), 'x');
      await touch(name, written);
    },
    touch,
    // A file in place of the folder simulates a lost disk.
    async lose() {
      await rename(directory, away);
      await writeFile(directory, '');
    },
    async find() {
      await rm(directory);
      await rename(away, directory);
    },
    close: async () => uploads.close(),
  };
};

export const inS3: OpenPlace = async () => {
  const storage = await openS3Storage();
  const { prefix } = storage.place;
  const uploads = createS3(storage.place);
  return {
    uploads,
    names: async () => storage.keys().map((key) => key.slice(prefix.length)),
    plant: async (name, written) => storage.put(prefix + name, Buffer.from('x'), written),
    touch: async (name, written) => storage.touch(prefix + name, written),
    lose: async () => storage.be('failing'),
    find: async () => storage.be('well'),
    async close() {
      uploads.close();
      await storage.close();
    },
  };
};
