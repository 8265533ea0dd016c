import { openAsBlob } from 'node:fs';
import { BlobReader, ERR_UNSAFE_FILENAME, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { UsageError } from '../../explain.ts';

/** Bounds that no backup of a blog comes near, so that no small file becomes a full disk. */
const MOST_ENTRIES = 1_000_000;
const MOST_DATA = 8 * 2 ** 30;
const MOST_RATIO = 500;
/** Small files may be anything: they cannot fill what they are read into. */
const FREE_RATIO = 2 ** 20;
const MOST_PICTURE = 64 * 2 ** 20;

const DATA = /^(?:[^/]+\/)?extensions\.data$/;
const UPLOADS = 'workdir/attachments/';

export interface BackupZip {
  /** The rows of Halo's database, as they are stored. */
  data(): AsyncIterable<string>;
  /** @param path below `attachments/`. @returns null for none, or what is too large for a picture */
  attachment(path: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/**
 * Opens a backup of Halo 2.8 and later. Nothing of it is written to the disk, so no path leads out of it.
 * @throws UsageError where it is none, is cut off, or holds more than a blog can
 */
export async function openBackupZip(path: string): Promise<BackupZip> {
  const reader = new ZipReader(new BlobReader(await openAsBlob(path)), {
    useWebWorkers: false,
    checkCrc32: true,
  });
  try {
    const entries = new Map<string, FileEntry>();
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory) continue;
      entries.set(entry.filename.replaceAll('\\', '/'), entry);
      if (entries.size > MOST_ENTRIES)
        throw new UsageError(`压缩包里的文件多于 ${MOST_ENTRIES} 个，不是 Halo 的备份`);
    }
    const [name] = [...entries.keys()].filter((each) => DATA.test(each));
    const data = entries.get(name ?? '');
    if (name === undefined || !data) throw new UsageError('压缩包里没有 extensions.data，不是 Halo 2 的备份');
    const folder = name.slice(0, -'extensions.data'.length) + UPLOADS;
    return {
      data: () => textOf(data),
      attachment: (wanted) => readWhole(entries.get(folder + wanted)),
      close: () => reader.close(),
    };
  } catch (error) {
    await reader.close();
    throw asUsage(error);
  }
}

async function* textOf(entry: FileEntry): AsyncGenerator<string> {
  const most = mostBytes(entry, MOST_DATA);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let length = 0;
  try {
    for await (const bytes of bytesOf(entry)) {
      length += bytes.length;
      if (length > most) throw new UsageError('压缩包里的数据解开后过大，不是 Halo 的备份');
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw asUsage(error);
  }
}

async function readWhole(entry: FileEntry | undefined): Promise<Uint8Array | null> {
  if (!entry) return null;
  const most = mostBytes(entry, MOST_PICTURE);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const bytes of bytesOf(entry)) {
      length += bytes.length;
      if (length > most) return null;
      parts.push(bytes);
    }
  } catch (error) {
    throw asUsage(error);
  }
  return Buffer.concat(parts);
}

/** What an entry may hold: it is counted, whatever the archive says of its size. */
const mostBytes = ({ compressedSize }: FileEntry, most: number): number =>
  Math.min(most, Math.max(compressedSize * MOST_RATIO, FREE_RATIO));

async function* bytesOf(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const done = entry.getData(writable);
  // Whoever stops early ends the writer, too; what went wrong is told below, or by the stream.
  done.catch(() => undefined);
  for await (const bytes of readable) yield bytes;
  await done;
}

/** What zip.js says of a damaged archive, as one line; errors of the system stay. */
function asUsage(error: unknown): unknown {
  if (error instanceof UsageError) return error;
  if (error instanceof Error && error.message === ERR_UNSAFE_FILENAME)
    return new UsageError('压缩包里有指向文件夹之外的文件名，不是 Halo 的备份', { cause: error });
  const isSystem = error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));
  return isSystem ? error : new UsageError('压缩包不完整或已损坏', { cause: error });
}
