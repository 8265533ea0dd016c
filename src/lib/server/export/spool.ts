import { open, rm, type FileHandle } from 'node:fs/promises';
import { PRIVATE_FILE } from '../data-folder.ts';

/** Where something is written faster than somebody far away reads it. */
export interface Spool {
  readonly writable: WritableStream<Uint8Array>;
  /** From now on whoever writes waits for the reader, and nothing more is put by. */
  release(): void;
  /** Whether all was read; rejects with what went wrong. */
  readonly done: Promise<void>;
}

const AT_ONCE = 256 * 1024;

/**
 * Hands on to `out` what is written into the spool. Until `release` nobody who writes waits: what `out` has
 * not taken stands in the file at `path`, which has no name any more as soon as it is open, so that nothing
 * is left of it however this ends.
 */
export async function openSpool(path: string, out: WritableStream<Uint8Array>): Promise<Spool> {
  const file = await open(path, 'wx+', PRIVATE_FILE);
  // Windows removes no open file: there it goes at the end.
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
        const part = await readPart(file, sent, Math.min(AT_ONCE, written - sent));
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
    release() {
      isSpooling = false;
      wake();
    },
    done: ended.promise,
  };
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
