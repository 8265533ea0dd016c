import { open, rm, type FileHandle } from 'node:fs/promises';
import { PRIVATE_FILE } from '../storage/data-folder.ts';
import { KIB } from '../../contract/rules/units.ts';

const CHUNK_BYTES = 256 * KIB;

/**
 * Opens a buffer on disk between a fast writer and a slow reader: forwards to `out` what is written into it.
 * Until `release` no writer waits: bytes that `out` has not taken are in the file at `path`, which is
 * unlinked as soon as it is open, so nothing is left of it even if the process is killed.
 */
export async function openSpool(path: string, out: WritableStream<Uint8Array>) {
  const file = await open(path, 'wx+', PRIVATE_FILE);
  // Windows cannot remove an open file: there it is removed at the end.
  await rm(path, { force: true }).catch(() => {});
  const writer = out.getWriter();
  let [written, sent] = [0, 0];
  let isSpooling = true;
  let isEnding = false;
  let wake = (): void => {};
  const caughtUp = Promise.withResolvers<void>();
  caughtUp.promise.catch(() => {});

  async function pump(): Promise<void> {
    for (;;) {
      if (sent < written) {
        const part = await readPart(file, sent, Math.min(CHUNK_BYTES, written - sent));
        await writer.write(part);
        sent += part.length;
      } else if (!isSpooling || isEnding) return caughtUp.resolve();
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  const pumped = pump().catch((error: unknown) => {
    caughtUp.reject(error);
    throw error;
  });
  const close = async (): Promise<void> => {
    await file.close();
    await rm(path, { force: true });
  };
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => {});
  pumped.catch(ended.reject);

  const writable = new WritableStream<Uint8Array>({
    async write(chunk) {
      if (!isSpooling) {
        await caughtUp.promise;
        return writer.write(chunk);
      }
      await file.write(chunk, 0, chunk.length, written);
      written += chunk.length;
      wake();
    },
    async close() {
      isEnding = true;
      wake();
      await caughtUp.promise;
      await writer.close();
      await close();
      ended.resolve();
    },
    async abort(reason) {
      isEnding = true;
      wake();
      await writer.abort(reason).catch(() => {});
      await close();
      ended.reject(reason);
    },
  });
  return {
    writable,
    /** From now on writers wait for the reader, and nothing more is buffered. */
    release(): void {
      isSpooling = false;
      wake();
    },
    /** Resolves once everything is read; rejects with the error. */
    done: ended.promise,
  };
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
