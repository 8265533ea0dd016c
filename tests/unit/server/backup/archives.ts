import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { packTar, unpackTar, type TarHeader } from 'modern-tar';
import { readFromFile } from '../../../../src/lib/server/backup/archive-reader.ts';
import { checkArchive, type CheckedArchive } from '../../../../src/lib/server/backup/read-archive.ts';
import { isUploadName } from '../../../../src/lib/server/files/uploads.ts';

/** An archive of each released format, written by make-backup-fixture.ts. */
export const FORMAT_1 = fileURLToPath(new URL('../../../fixtures/backup/format-1.tar.zst', import.meta.url));
export const FORMAT_1_PASSPHRASE = '口令：松风吹解带，山月照弹琴';
/** Larger than the schema version of any fixture. */
const ANY_SCHEMA = 1_000_000;

/** An entry of an archive, to be modified. */
export interface Part {
  header: TarHeader;
  data: Uint8Array;
}

export async function partsOf(file: string): Promise<Part[]> {
  const entries = await unpackTar(zstdDecompressSync(readFileSync(file)));
  return entries.map(({ header, data }) => ({ header: { ...header }, data: data ?? new Uint8Array() }));
}

/** Creates an entry for a file of that name. */
export const part = (name: string, data: Uint8Array | string, header: Partial<TarHeader> = {}): Part => {
  const bytes = Buffer.from(data);
  return { header: { name, size: bytes.length, ...header }, data: bytes };
};

export async function packed(parts: readonly Part[]): Promise<Buffer> {
  const entries = parts.map(({ header, data }) => ({ header: { ...header, size: data.length }, data }));
  return zstdCompressSync(Buffer.from(await packTar(entries)));
}

/** Checks these bytes as an archive; its schema must not be newer than `newestSchema`. */
export async function check(
  bytes: Uint8Array,
  newestSchema = ANY_SCHEMA,
  signal = new AbortController().signal,
): Promise<CheckedArchive> {
  const folder = mkdtempSync(join(tmpdir(), 'moye-archive-'));
  try {
    const file = join(folder, 'archive');
    writeFileSync(file, bytes);
    return await checkArchive(readFromFile(file), newestSchema, { isFileName: isUploadName, signal });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
