import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../storage/data-folder.ts';

/** About 150 MB; pictures beyond that are drawn again on request. */
const MAX_FILES = 4_000;
const ENDING = '.png';

export function createStoredPictures(folder: string, { most = MAX_FILES, mayWrite = async () => true } = {}) {
  let count: number | undefined;
  const pathOf = (name: string) => join(folder, name + ENDING);

  async function makeRoom(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
    count = names.length;
    if (count <= most) return;
    const files = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
    );
    const oldest = files.sort((one, other) => one.at - other.at).slice(0, Math.ceil(most / 10));
    await Promise.all(oldest.map(({ name }) => rm(join(folder, name), { force: true })));
    count -= oldest.length;
  }

  return {
    async read(name: string): Promise<Buffer | null> {
      try {
        const bytes = await readFile(pathOf(name));
        const now = new Date();
        await utimes(pathOf(name), now, now);
        return bytes;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },

    /** Writes under another name first, so readers never get a partial picture. */
    async write(name: string, bytes: Uint8Array): Promise<void> {
      if (!(await mayWrite())) return;
      await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
      const unfinished = join(folder, `${name}.${process.pid}.part`);
      await writeFile(unfinished, bytes, { mode: PRIVATE_FILE });
      await rename(unfinished, pathOf(name));
      if (count === undefined || ++count > most) await makeRoom();
    },
  };
}

export type StoredPictures = ReturnType<typeof createStoredPictures>;
