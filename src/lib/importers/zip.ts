import { openAsBlob } from 'node:fs';
import { BlobReader, ERR_UNSAFE_FILENAME, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { Problem } from '../markdown-file/problem.ts';
import { MIB } from '../contract/rules/units.ts';

/** Files of a zip, by path. Nothing is written to disk. */
export type Zip = Awaited<ReturnType<typeof openZip>>;

const MAX_FILES = 500_000;
/** Maximum compression ratio of files above `RATIO_FROM_BYTES`: text and pictures never reach it. */
const MAX_COMPRESSION_RATIO = 500;
const RATIO_FROM_BYTES = 4 * MIB;
const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE = 0o170000;

/** @throws Problem if it is not a zip, is damaged or encrypted, or contains a path outside its folder */
export async function openZip(path: string) {
  const reader = new ZipReader(new BlobReader(await openAsBlob(path)), {
    useWebWorkers: false,
    checkCrc32: true,
  });
  const entries = new Map<string, FileEntry>();
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      // Java on Windows writes backslashes.
      const name = entry.filename.replaceAll('\\', '/');
      refuseUnsafe(name, entry.unixMode ?? 0, entry.encrypted);
      if (entries.size >= MAX_FILES) throw new Problem(`压缩包里的文件多于 ${MAX_FILES} 个`);
      if (!entry.directory) entries.set(name, entry);
    }
  } catch (error) {
    await reader.close();
    throw asProblem(error);
  }
  return {
    paths: [...entries.keys()],
    /**
     * Yields the bytes of a file.
     * @param most maximum bytes, whatever size the zip declares
     * @throws Problem if the file is larger or damaged
     */
    async *stream(name: string, most: number): AsyncGenerator<Uint8Array> {
      const entry = entries.get(name);
      if (!entry) throw new Problem(`压缩包里没有 ${name}`);
      yield* read(entry, most);
    },
    close: () => reader.close().then(() => undefined),
  };
}

function refuseUnsafe(name: string, mode: number, isEncrypted: boolean): void {
  const isOutside = /\0|^\/|^[a-z]:/i.test(name) || name.split('/').includes('..');
  const isLink = (mode & FILE_TYPE) === SYMBOLIC_LINK;
  if (isOutside || isLink) throw leadsOut(name);
  if (isEncrypted) throw new Problem('压缩包有密码，请先解开');
}

const leadsOut = (name: string): Problem =>
  new Problem(`压缩包里有指向文件夹之外的路径：${JSON.stringify(name.slice(0, 80))}`);

async function* read(entry: FileEntry, most: number): AsyncGenerator<Uint8Array> {
  const bound = Math.min(most, Math.max(RATIO_FROM_BYTES, entry.compressedSize * MAX_COMPRESSION_RATIO));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const done = entry.getData(writable);
  // A reader that stops early ends the writer too; errors are thrown below, or by the stream.
  done.catch(() => undefined);
  let length = 0;
  try {
    for await (const bytes of readable) {
      length += bytes.length;
      if (length > bound) throw new Problem(`压缩包里的 ${entry.filename} 解开后过大`);
      yield bytes;
    }
    await done;
  } catch (error) {
    throw asProblem(error);
  }
}

/** Converts errors of zip.js about a damaged archive to one line; system errors are unchanged. */
function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof Error && error.message === ERR_UNSAFE_FILENAME)
    return leadsOut('filename' in error ? String(error.filename) : '');
  const isSystem = error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));
  return isSystem ? error : new Problem('压缩包不完整或已损坏', { cause: error });
}
