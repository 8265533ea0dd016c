import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Problem } from '../../../markdown-file/problem.ts';
import { KIB } from '../../../shared/units.ts';

export interface ByteReader {
  /** Returns the next `count` bytes; fewer at the end of the stream. */
  read(count: number): Promise<Buffer>;
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b;

/** Opens a file, and decompresses gzip. A caller that stops early must destroy the stream. */
export async function openFile(path: string): Promise<Readable> {
  const file = createReadStream(path, { highWaterMark: 256 * KIB });
  if (!isGzip(await firstBytes(path, 2))) return file;
  const unpacked = createGunzip({ chunkSize: 256 * KIB });
  // The reader of the decompressed stream reports errors of the file.
  pipeline(file, unpacked, () => undefined);
  return unpacked;
}

export function createByteReader(stream: Readable): ByteReader {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  return {
    async read(count) {
      const parts: Buffer[] = [];
      let missing = count;
      while (missing > 0) {
        if (rest.length === 0) {
          const next = await chunks.next();
          if (next.done) break;
          rest = next.value;
          continue;
        }
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        parts.push(part);
        missing -= part.length;
      }
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    },
  };
}

/** Converts zlib's errors about an incomplete or damaged file to one line for the operator. */
export function unpacked(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') ? new Problem(`${name} 已损坏：解压到中间出错`, { cause: error }) : error;
}
