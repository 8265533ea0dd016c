import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import type { ArchiveReader } from './places.ts';
import { readCanonical } from '../db/move-rows.ts';
import { MOVED_TABLES } from '../db/move-tables.ts';
import {
  BackupError,
  ENTRY_BYTES,
  FORMAT,
  FormatNumber,
  Head,
  HEAD,
  Manifest,
  MANIFEST,
  partName,
  SECRET,
} from './format.ts';
import { MIB } from '../../contract/rules/units.ts';

export interface ArchiveEntry {
  name: string;
  bytes: Buffer;
}

export interface Reading {
  isFileName(name: string): boolean;
  signal: AbortSignal;
}

export interface CheckedArchive {
  manifest: Manifest;
  /** SHA-256 of the manifest, which identifies the archive. */
  digest: string;
  secret: string | null;
  bytes: { tables: number; files: number };
}

/** Maximum compression ratio: rows never reach it, decompression bombs do. */
const MAX_COMPRESSION_RATIO = 1_000;
const RATIO_FROM_BYTES = 256 * MIB;

const NEWLINE = 0x0a;

const damaged = (what: string) => new BackupError(`备份文件已损坏：${what}`);
const FOREIGN = '不是墨页的备份文件';

/**
 * Yields the entries of the archive, each whole in memory and within its limit.
 * @throws BackupError if it is not a backup, or incomplete
 */
export async function* readEntries(
  archive: Pick<ArchiveReader, 'open'>,
  { isFileName, signal }: Reading,
): AsyncGenerator<ArchiveEntry> {
  const { stream: source, bytesRead } = archive.open();
  const decompress = createZstdDecompress();
  const guard = boundedRatio(bytesRead);
  for (const stream of [source, decompress, guard]) stream.on('error', () => {});
  source.on('error', (error) => decompress.destroy(error));
  decompress.on('error', (error) => guard.destroy(error));
  source.pipe(decompress).pipe(guard);
  const decoder = createTarDecoder({ strict: true });
  const bytes = Readable.toWeb(guard) as unknown as ReadableStream<Uint8Array>;
  const fed = bytes.pipeTo(decoder.writable);
  fed.catch(() => {});
  const reader = decoder.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      signal.throwIfAborted();
      yield await readEntry(value, isFileName);
    }
    await fed;
  } catch (error) {
    throw clear(error, signal);
  } finally {
    source.destroy();
    await reader.cancel().catch(() => {});
  }
}

async function readEntry(
  { header, body }: ParsedTarEntry,
  isFileName: Reading['isFileName'],
): Promise<ArchiveEntry> {
  const { name, size, type } = header;
  const bound = type === 'file' ? boundOf(name, isFileName) : null;
  if (bound === null) throw damaged(`里面有不该有的东西（${JSON.stringify(name.slice(0, 100))}）`);
  if (size > bound) throw damaged(`${name} 大得不合理`);
  return { name, bytes: Buffer.from(await new Response(body as BodyInit).arrayBuffer()) };
}

/** Maximum bytes of an entry; null for a name that Moye never writes, such as `../x`. */
function boundOf(name: string, isFileName: Reading['isFileName']): number | null {
  if (name === HEAD) return ENTRY_BYTES.head;
  if (name === SECRET) return ENTRY_BYTES.secret;
  if (name === MANIFEST) return ENTRY_BYTES.manifest;
  if (/^tables\/[a-z_]{1,64}\/\d{6,9}\.jsonl$/.test(name)) return ENTRY_BYTES.tables;
  return name.startsWith('files/') && isFileName(name.slice(6)) ? ENTRY_BYTES.files : null;
}

function boundedRatio(bytesRead: () => number): Transform {
  let written = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      written += chunk.length;
      const isBomb = written > RATIO_FROM_BYTES && written > MAX_COMPRESSION_RATIO * bytesRead();
      if (isBomb) done(damaged('解开后大得不合理'));
      else done(null, chunk);
    },
  });
}

function clear(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof BackupError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'Z_BUF_ERROR') return new BackupError('备份文件不完整：后面的部分没有了');
  if (code === 'ZSTD_error_prefix_unknown') return new BackupError(FOREIGN);
  if (code.startsWith('ZSTD_') || code.startsWith('ERR_ZLIB')) return damaged('解压失败');
  return code === '' ? damaged('不是完整的 tar') : error;
}

/**
 * Reads the whole archive and compares it with its manifest. Writes nothing.
 * @param newestSchema newest schema version that this version of the product supports
 * @throws BackupError if it is foreign, newer, incomplete or changed
 */
export async function checkArchive(
  archive: Pick<ArchiveReader, 'open'>,
  newestSchema: number,
  reading: Reading,
): Promise<CheckedArchive> {
  let head: Head | null = null;
  let end: { manifest: Manifest; digest: string } | null = null;
  let secret: string | null = null;
  let tables: TableCheck[] = [];
  const files = new Map<string, { bytes: number; sha256: string }>();
  const bytes = { tables: 0, files: 0 };
  for await (const { name, bytes: content } of readEntries(archive, reading)) {
    if (end) throw damaged('清单后面还有东西');
    if (!head) {
      head = readHead(name, content, newestSchema);
      tables = head.tables.map(({ name: table, rows }) => checkTable(table, rows));
    } else if (name === SECRET && secret === null) secret = content.toString('utf8');
    else if (name.startsWith('tables/')) {
      const table = tables.find((one) => name.startsWith(`tables/${one.name}/`));
      if (!table) throw damaged(`里面有不该有的东西（${name}）`);
      table.add(name, content);
      bytes.tables += content.length;
    } else if (name.startsWith('files/')) {
      if (files.has(name.slice(6))) throw damaged(`${name} 有两份`);
      files.set(name.slice(6), { bytes: content.length, sha256: digestOf(content) });
      bytes.files += content.length;
    } else if (name === MANIFEST) {
      end = { manifest: readJson(Manifest, content, name), digest: digestOf(content) };
    } else throw damaged(`里面有不该有的东西（${name}）`);
  }
  if (!head) throw new BackupError(FOREIGN);
  if (!end) throw new BackupError('备份文件不完整：没有清单');
  const { manifest, digest } = end;
  compare(head, manifest, { tables, files, secret });
  return { manifest, digest, secret, bytes };
}

function readHead(name: string, content: Buffer, newestSchema: number): Head {
  if (name !== HEAD) throw new BackupError(FOREIGN);
  const { moye_backup: format } = readJson(FormatNumber, content, name);
  if (format > FORMAT)
    throw new BackupError(`这份备份是更新版本的墨页做的（格式 ${format}）：请用那个版本恢复`);
  const head = readJson(Head, content, name);
  if (head.schema > newestSchema)
    throw new BackupError(`这份备份是更新版本的墨页做的（数据库版本 ${head.schema}）：请用那个版本恢复`);
  const order = head.tables.map((table) => MOVED_TABLES.findIndex((known) => known.name === table.name));
  if (order.some((place, index) => place < 0 || place <= (order[index - 1] ?? -1)))
    throw damaged('数据表和这个版本的不符');
  return head;
}

/** Checks one table: the order of its parts, the number of rows that the head states, and each row. */
function checkTable(name: string, rows: number) {
  const hash = createHash('sha256');
  let [part, found] = [1, 0];
  return {
    name,
    add(entry: string, content: Buffer): void {
      if (entry !== partName(name, part++)) throw damaged(`${entry} 不在它的位置上`);
      if (content.at(-1) !== NEWLINE) throw damaged(`${entry} 读不懂`);
      hash.update(content);
      for (const line of linesOf(content)) {
        if (++found > rows) throw damaged(`${name} 表的行数不对`);
        try {
          readCanonical(line);
        } catch {
          throw damaged(`${name} 表的第 ${found} 行读不懂`);
        }
      }
    },
    end: () => ({ name, rows: found, sha256: hash.digest('hex') }),
  };
}
type TableCheck = ReturnType<typeof checkTable>;

export const linesOf = (content: Buffer): string[] => content.toString('utf8').split('\n').slice(0, -1);

function compare(
  head: Head,
  manifest: Manifest,
  found: {
    tables: TableCheck[];
    files: Map<string, { bytes: number; sha256: string }>;
    secret: string | null;
  },
): void {
  const { schema, engine, time, tables } = manifest;
  if (schema !== head.schema || engine !== head.engine || time !== head.time)
    throw damaged('开头和清单不一致');
  if (tables.length !== found.tables.length) throw damaged('数据表不全');
  for (const [index, check] of found.tables.entries()) {
    const [is, expected] = [check.end(), tables[index]];
    if (expected?.name !== is.name || expected.rows !== is.rows || expected.sha256 !== is.sha256)
      throw damaged(`${is.name} 表和清单不一致`);
  }
  for (const { name, bytes, sha256 } of manifest.files) {
    const is = found.files.get(name);
    if (is?.bytes !== bytes || is.sha256 !== sha256) throw damaged(`图片 ${name} 和清单不一致`);
  }
  if (found.files.size !== manifest.files.length) throw damaged('图片和清单不一致');
  if (manifest.secret !== (found.secret === null ? null : digestOf(found.secret)))
    throw damaged('密钥和清单不一致');
}

function readJson<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  content: Buffer,
  name: string,
): T {
  try {
    const read = schema.safeParse(JSON.parse(content.toString('utf8')));
    if (read.success) return read.data;
  } catch {
    // Reported below.
  }
  throw damaged(`${name} 读不懂`);
}

const digestOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
