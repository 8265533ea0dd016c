import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { KIB } from '../contract/rules/units.ts';

const CHUNK_BYTES = 256 * KIB;

/** Returns the first `count` bytes of a file; fewer if it is shorter. */
export async function readHead(path: string, count: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Opens a file, and decompresses gzip. A caller that stops early must destroy the stream. */
export async function openUnpacked(path: string): Promise<Readable> {
  const [first, second] = await readHead(path, 2);
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (first !== 0x1f || second !== 0x8b) return file;
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  // The reader of the decompressed stream reports errors of the file.
  pipeline(file, unpacked, () => undefined);
  return unpacked;
}

/** Whether zlib reports that a compressed file is incomplete or damaged. */
export const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
