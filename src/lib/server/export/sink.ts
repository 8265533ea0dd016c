import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';

export interface ExportSink {
  put(path: string, bytes: Uint8Array, time: number): Promise<void>;
  stream(path: string, content: AsyncIterable<Uint8Array>, time: number): Promise<void>;
  end(): Promise<void>;
}

export function folderSink(folder: string): ExportSink {
  const write = async (path: string, content: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<void> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(file));
  };
  return {
    put: (path, bytes) => write(path, [bytes]),
    stream: (path, content) => write(path, content),
    end: async () => {},
  };
}

const deflate = promisify(deflateRaw);
/** Compression methods of a zip (APPNOTE.TXT 4.4.5). */
const [STORED, DEFLATED] = [0, 8];

const PACKED = /\.(?:png|jpg|webp)$/;
/** Times that a zip can store: the DOS calendar begins in 1980 and ends in 2107. */
const DATES = { first: Date.UTC(1980, 0, 2), last: Date.UTC(2107, 0, 1) };

export function zipSink(writable: WritableStream<Uint8Array>): ExportSink {
  const zip = new ZipWriter(writable, { useWebWorkers: false });
  const optionsOf = (time: number) => ({
    lastModDate: new Date(Math.min(Math.max(time, DATES.first), DATES.last)),
  });
  return {
    async put(path, bytes, time) {
      const isPacked = PACKED.test(path);
      // Compressed here: one stream per file takes ten times as long for 10,000 small files, and uses memory
      // that the garbage collector is slow to free.
      const content = isPacked ? bytes : await deflate(bytes);
      await zip.add(path, new Uint8ArrayReader(content), {
        ...optionsOf(time),
        passThrough: true,
        compressionMethod: isPacked ? STORED : DEFLATED,
        uncompressedSize: bytes.length,
        crc32: crc32(bytes),
        // Writes sizes before the bytes, for readers that do not look ahead.
        dataDescriptor: false,
      });
    },
    async stream(path, content, time) {
      const bytes = Readable.toWeb(Readable.from(content, { objectMode: false }));
      await zip.add(path, bytes as unknown as ReadableStream<Uint8Array>, optionsOf(time));
    },
    async end() {
      await zip.close();
    },
  };
}
