import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder } from '../data-folder.ts';

/** Files under names of our own making; anything else, `../x.png` included, is no name here. */
export interface Folder {
  /** Writes a file durably under a new random name with that ending (`.png`, `-640x480.png`), and returns the name. */
  write(bytes: Uint8Array, ending: string): Promise<string>;
  /** The bytes of a file, or null. */
  read(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
  /** Names last written before `instant` (milliseconds), unfinished ones included. */
  listOlder(instant: number): Promise<string[]>;
}

/** 128 random bits, in lower case for file systems that ignore case; the size of pictures that articles show. */
const NAME = /^[0-9a-f]{32}(?:-\d{1,8}x\d{1,8})?\.(?:png|jpg|webp)$/;
/** A file while it is written. */
const UNFINISHED = /^\.[0-9a-f]{32}\.part$/;

/** The folder `directory`, made when first written to. */
export function createFolder(directory: string): Folder {
  return {
    async write(bytes, ending) {
      const id = randomBytes(16).toString('hex');
      const name = `${id}${ending}`;
      const unfinished = join(directory, `.${id}.part`);
      ensureFolder(directory);
      try {
        await writeDurably(unfinished, bytes);
        await rename(unfinished, join(directory, name));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncDirectory(directory);
      return name;
    },
    async read(name) {
      if (!NAME.test(name)) return null;
      try {
        return await readFile(join(directory, name));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async remove(name) {
      if (NAME.test(name) || UNFINISHED.test(name)) await rm(join(directory, name), { force: true });
    },
    listOlder: (instant) => listOlder(directory, instant),
  };
}

async function listOlder(directory: string, instant: number): Promise<string[]> {
  const older: string[] = [];
  for (const name of await readdir(directory).catch(orEmpty)) {
    if (!NAME.test(name) && !UNFINISHED.test(name)) continue;
    const found = await stat(join(directory, name)).catch(() => null);
    if (found && found.mtimeMs < instant) older.push(name);
  }
  return older;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename survives a power cut once its folder is on the disk. Windows has no such call and needs none. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

function orEmpty(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}
