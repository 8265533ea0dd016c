import type { Readable } from 'node:stream';
import { Problem } from '../../markdown-file/problem.ts';
import { isZlibError } from '../source-file.ts';

export type ByteReader = ReturnType<typeof createByteReader>;

export function createByteReader(stream: Readable) {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  return {
    /** Returns the next `count` bytes; fewer at the end of the stream. */
    async read(count: number): Promise<Buffer> {
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
export const unpacked = (error: unknown, name: string): unknown =>
  isZlibError(error) ? new Problem(`${name} 已损坏：解压到中间出错`, { cause: error }) : error;
