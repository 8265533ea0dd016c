import { openAsBlob } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobReader, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { ExportError, MANIFEST } from './format.ts';
import { MIB } from '../../contract/rules/units.ts';

/** Files of an export that is being imported. Nothing is ever written to a path from it. */
export interface ExportFiles {
  /** Paths from the export's root, `/` separated, sorted. */
  readonly paths: readonly string[];
  /**
   * Reads the file at `path`, which is one of `paths`.
   * @param most maximum bytes
   * @throws ExportError if it is larger or damaged
   */
  read(path: string, most: number): Promise<Buffer>;
  /** Yields the lines of the file at `path`; none if the file does not exist. @throws ExportError */
  lines(path: string): AsyncIterable<string>;
  close(): Promise<void>;
}

/** Maximum compression ratio: text never reaches it, decompression bombs do. */
const MAX_COMPRESSION_RATIO = 1_000;
const RATIO_FROM_BYTES = 256 * MIB;
const MAX_LINE_CHARACTERS = 8 * MIB;

/** Opens an export, a folder or a zip. @throws ExportError; the system's error if `path` does not exist */
export async function openExport(path: string): Promise<ExportFiles> {
  const stats = await lstat(await realpath(path));
  return stats.isDirectory() ? openFolder(await realpath(path)) : openZip(path);
}

/** The root is the folder of the manifest: zips often contain the exported folder itself. */
function rootOf(paths: readonly string[]): string {
  const manifests = paths.filter((path) => path === MANIFEST || path.endsWith(`/${MANIFEST}`));
  const [first] = manifests.toSorted((one, other) => one.length - other.length);
  if (first === undefined) throw new ExportError(`不是墨页的导出：里面没有 ${MANIFEST}`);
  return first.slice(0, -MANIFEST.length);
}

async function openFolder(root: string): Promise<ExportFiles> {
  const paths: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // Links are not part of an export, and may point outside it.
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) paths.push(path);
    }
  };
  await visit('');
  const base = rootOf(paths);
  const fileOf = (path: string) => join(root, ...(base + path).split('/'));
  async function* chunks(path: string): AsyncGenerator<Uint8Array> {
    const handle = await open(fileOf(path), 'r');
    yield* handle.createReadStream();
  }
  return filesOf(paths, base, {
    chunks,
    sizeOf: async (path) => (await lstat(fileOf(path))).size,
    close: async () => {},
  });
}

const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE = 0o170000;

async function openZip(path: string): Promise<ExportFiles> {
  const zip = new ZipReader(new BlobReader(await openAsBlob(path)), { useWebWorkers: false });
  const entries = new Map<string, FileEntry>();
  try {
    for await (const entry of zip.getEntriesGenerator({ strictness: 'strict' })) {
      if (entry.directory) continue;
      const name = entry.filename;
      const isLink = ((entry.unixMode ?? 0) & FILE_TYPE) === SYMBOLIC_LINK;
      if (!isPlainPath(name) || isLink || entry.encrypted || entries.has(name))
        throw new ExportError(`压缩包里有不该有的东西（${JSON.stringify(name.slice(0, 100))}）`);
      entries.set(name, entry);
    }
  } catch (error) {
    throw clear(error);
  }
  const base = rootOf([...entries.keys()]);
  const entryOf = (of: string): FileEntry => {
    const entry = entries.get(base + of);
    if (!entry) throw new ExportError(`压缩包里没有 ${of}`);
    return entry;
  };
  async function* chunks(of: string): AsyncGenerator<Uint8Array> {
    const entry = entryOf(of);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const done = entry.getData(writable, { useWebWorkers: false, checkSignature: true });
    done.catch(() => {});
    let bytes = 0;
    try {
      for await (const chunk of readable) {
        bytes += chunk.length;
        if (bytes > RATIO_FROM_BYTES && bytes > MAX_COMPRESSION_RATIO * entry.compressedSize)
          throw new ExportError(`压缩包里的 ${of} 解开后大得不合理`);
        yield chunk;
      }
      await done;
    } catch (error) {
      throw clear(error);
    }
  }
  return filesOf([...entries.keys()], base, {
    chunks,
    sizeOf: async (of) => entryOf(of).uncompressedSize,
    close: () => zip.close(),
  });
}

const isPlainPath = (path: string): boolean =>
  path.length > 0 &&
  !/[\\\0]|^\/|^[a-z]:/i.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

function clear(error: unknown): unknown {
  if (error instanceof ExportError || !(error instanceof Error) || 'code' in error) return error;
  return new ExportError('压缩包已损坏，或不是 zip');
}

interface Store {
  chunks(path: string): AsyncIterable<Uint8Array>;
  /** Declared size, which may be false. */
  sizeOf(path: string): Promise<number>;
  close(): Promise<void>;
}

function filesOf(all: readonly string[], base: string, store: Store): ExportFiles {
  const paths = all
    .filter((path) => path.startsWith(base))
    .map((path) => path.slice(base.length))
    .toSorted();
  const known = new Set(paths);
  const tooLarge = (path: string) => new ExportError(`${path} 大得不合理`);
  return {
    paths,
    async read(path, most) {
      if ((await store.sizeOf(path)) > most) throw tooLarge(path);
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of store.chunks(path)) {
        bytes += chunk.length;
        if (bytes > most) throw tooLarge(path);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
    async *lines(path) {
      if (!known.has(path)) return;
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      let rest = '';
      for await (const chunk of store.chunks(path)) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        if (rest.length > MAX_LINE_CHARACTERS) throw tooLarge(path);
        yield* lines;
      }
      yield rest + decoder.decode();
    },
    close: store.close,
  };
}
