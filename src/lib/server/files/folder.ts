import { randomBytes } from 'node:crypto';
import { existsSync, opendirSync } from 'node:fs';
import { open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ensureFolder, PRIVATE_FILE, syncFolder } from '../storage/data-folder.ts';
import { isUploadName, type ListedUpload, type OpenedUpload, type Uploads } from './uploads.ts';

const UNFINISHED = /^\.[0-9a-f]{32}\.part$/;
const LIST_BATCH_SIZE = 1000;

const SHARED_FILE = 0o666;

/**
 * Stores uploads in `directory`, which several nodes may share. `isPrivate`: files are readable only by this
 * system account; otherwise the umask applies.
 */
export function createFolder(directory: string, { isPrivate = false } = {}): Uploads {
  const mode = isPrivate ? PRIVATE_FILE : SHARED_FILE;
  return {
    async put(name, bytes) {
      const unfinished = join(directory, `.${randomBytes(16).toString('hex')}.part`);
      ensureFolder(directory, isPrivate);
      try {
        await writeDurably(unfinished, bytes, mode);
        await rename(unfinished, join(directory, name));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(directory);
    },
    async size(name) {
      if (!isUploadName(name)) return null;
      return (await stat(join(directory, name)).catch(orNull))?.size ?? null;
    },
    open: (name) => (isUploadName(name) ? openFile(join(directory, name)) : Promise.resolve(null)),
    async remove(name) {
      if (isUploadName(name) || UNFINISHED.test(name)) await rm(join(directory, name), { force: true });
    },
    listOlder: (instant) => listOlder(directory, instant),
    close() {},
  };
}

export function holdsUploads(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const entries = opendirSync(directory);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync())
      if (isUploadName(entry.name)) return true;
    return false;
  } finally {
    entries.closeSync();
  }
}

async function openFile(path: string): Promise<OpenedUpload | null> {
  const file = await open(path, 'r').catch(orNull);
  if (!file) return null;
  try {
    const { size } = await file.stat();
    // Closes the file at its end or when cancelled.
    const body = Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>;
    return { size, body };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* listOlder(directory: string, instant: number): AsyncGenerator<ListedUpload[]> {
  let older: ListedUpload[] = [];
  for await (const { name } of (await opendir(directory).catch(orNull)) ?? []) {
    if (!isUploadName(name) && !UNFINISHED.test(name)) continue;
    const found = await stat(join(directory, name)).catch(orNull);
    if (found && found.mtimeMs < instant) older.push({ name, bytes: found.size });
    if (older.length < LIST_BATCH_SIZE) continue;
    yield older;
    older = [];
  }
  yield older;
}

async function writeDurably(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function orNull(error: unknown): null {
  const isMissing = typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
  if (!isMissing) throw error;
  return null;
}
