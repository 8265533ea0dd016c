import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import type { Snapshot } from '../db/database.ts';
import { canonical, countRows, rowsAfter, totalOf, type Row } from '../db/move-rows.ts';
import { MOVED_TABLES, type MovedTable } from '../db/move-tables.ts';
import type { Uploads } from '../files/uploads.ts';
import { productVersion } from '../shared/product-version.ts';
import { FORMAT, fileName, HEAD, MANIFEST, PART_BYTES, partName, SECRET } from './format.ts';
import type { Head, Manifest } from './format.ts';
import { sealSecret } from './sealed-secret.ts';

export interface ArchiveProgress {
  step: 'tables' | 'files';
  done: number;
  total: number;
}

export interface ArchiveSource {
  snapshot: Snapshot;
  /** When the snapshot was taken, in milliseconds. */
  time: number;
  uploads: Pick<Uploads, 'open'>;
  /** The site's secret and the passphrase to encrypt it with; null leaves it out. */
  secret: { value: string; passphrase: string } | null;
}

interface Entry {
  name: string;
  bytes: Uint8Array;
}

const COMPRESSION_LEVEL = 6;
const READ_ATTEMPTS = 3;
const RETRY_DELAY_MS = 1_000;
const PRIVATE = 0o600;

/**
 * Writes an archive of a site into `sink` and ends it: the rows of the snapshot, then every file that they
 * name. Holds one part, one file and the digests of files in memory.
 * @returns the manifest, and the size of the archive
 * @throws errors of the sources or the sink; AbortError
 */
export async function writeArchive(
  source: ArchiveSource,
  sink: Writable,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: ArchiveProgress): void },
): Promise<{ manifest: Manifest; bytes: number }> {
  const { readable, controller } = createTarPacker();
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  let bytes = 0;
  async function* count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const written = pipeline(Readable.fromWeb(readable as never), compress, count, sink, { signal });
  // Either side may fail first and end the other; both are awaited.
  written.catch(() => {});
  const mtime = new Date(source.time);
  const entries = entriesOf(source, onProgress);
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await entries.next();
      if (done) {
        controller.finalize();
        await written;
        return { manifest: value, bytes };
      }
      const { name, bytes: content } = value;
      const body = controller.add({ name, size: content.length, mtime, mode: PRIVATE }).getWriter();
      await body.write(content);
      await body.close();
    }
  } catch (error) {
    controller.error(error);
    await written;
    throw error;
  }
}

async function* entriesOf(
  { snapshot, time, uploads, secret }: ArchiveSource,
  onProgress: (progress: ArchiveProgress) => void,
): AsyncGenerator<Entry, Manifest> {
  const tables = MOVED_TABLES.filter(({ name }) => snapshot.tables.includes(name));
  const counts = await countRows(snapshot.db, tables);
  const head: Head = {
    moye_backup: FORMAT,
    product: productVersion(),
    schema: snapshot.version,
    engine: snapshot.engine,
    time: new Date(time).toISOString(),
    tables: counts.map(({ table: name, rows }) => ({ name, rows })),
  };
  yield entry(HEAD, head);
  const manifest: Manifest = { ...head, tables: [], files: [], missing: [], secret: null };
  if (secret) {
    const sealed = Buffer.from(await sealSecret(secret.value, secret.passphrase));
    manifest.secret = digestOf(sealed);
    yield { name: SECRET, bytes: sealed };
  }
  const named: string[] = [];
  const total = totalOf(counts);
  let done = 0;
  onProgress({ step: 'tables', done, total });
  for (const table of tables) {
    const onRows = (rows: Row[]) => {
      if (table.name === 'files') named.push(...rows.map(({ name }) => String(name)));
      onProgress({ step: 'tables', done: (done += rows.length), total });
    };
    manifest.tables.push(yield* partsOf(snapshot, table, onRows));
  }
  yield* filesOf(named, uploads, manifest, (files) =>
    onProgress({ step: 'files', done: files, total: named.length }),
  );
  yield entry(MANIFEST, manifest);
  return manifest;
}

async function* partsOf(
  { db }: Snapshot,
  table: MovedTable,
  onRows: (rows: Row[]) => void,
): AsyncGenerator<Entry, Manifest['tables'][number]> {
  const hash = createHash('sha256');
  let [part, total, held] = [1, 0, 0];
  let lines: Buffer[] = [];
  const cut = (): Entry => {
    const bytes = Buffer.concat(lines);
    [lines, held] = [[], 0];
    return { name: partName(table.name, part++), bytes };
  };
  let rows = await rowsAfter(db, table, undefined);
  while (rows.length > 0) {
    for (const row of rows) {
      const line = Buffer.from(canonical(row));
      hash.update(line);
      lines.push(line);
      held += line.length;
      if (held >= PART_BYTES) yield cut();
    }
    total += rows.length;
    onRows(rows);
    // SQLite queries are synchronous: without this pause no other work, not even a signal, is handled.
    await setImmediate();
    rows = await rowsAfter(db, table, rows.at(-1));
  }
  if (held > 0) yield cut();
  return { name: table.name, rows: total, sha256: hash.digest('hex') };
}

async function* filesOf(
  names: readonly string[],
  uploads: ArchiveSource['uploads'],
  manifest: Manifest,
  onFile: (done: number) => void,
): AsyncGenerator<Entry> {
  onFile(0);
  for (const [index, name] of names.entries()) {
    const bytes = await readWhole(uploads, name);
    if (bytes) {
      manifest.files.push({ name, bytes: bytes.length, sha256: digestOf(bytes) });
      yield { name: fileName(name), bytes };
    } else manifest.missing.push(name);
    onFile(index + 1);
  }
}

/** Reads a picture, which fits into memory. Retries: remote storage may fail temporarily. */
async function readWhole(uploads: ArchiveSource['uploads'], name: string): Promise<Buffer | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      const opened = await uploads.open(name);
      return opened && Buffer.from(await new Response(opened.body).arrayBuffer());
    } catch (error) {
      if (attempt === READ_ATTEMPTS) throw error;
      await wait(RETRY_DELAY_MS);
    }
  }
}

const entry = (name: string, value: Head | Manifest): Entry => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value)}\n`),
});

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
