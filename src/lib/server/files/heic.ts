import { createReusedThread } from '../jobs/reused-thread.ts';
import { tooSlow } from './picture-bounds.ts';

export const CHANNELS = 3;

/** A decoded picture, with bytes for red, green and blue. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

const SCRIPT = new URL('./heic-worker.ts', import.meta.url);
/** The memory of the decoder is returned when its thread ends. */
const IDLE_TIMEOUT_MS = 2_000;

/**
 * Creates a decoder of HEIC, which the builds of sharp lack: libheif in WebAssembly, in a thread that is
 * ended when it takes too long. It rotates pictures upright, rejects invalid ones, and refuses with
 * IMAGE_UNREADABLE those that take longer than `timeoutS`.
 */
export function createHeicDecoder(timeoutS: number) {
  const { ask } = createReusedThread<{ bytes: Uint8Array }, Pixels>(SCRIPT, {
    idleMs: IDLE_TIMEOUT_MS,
    startMs: timeoutS * 1_000,
    timedOut: () => tooSlow(timeoutS),
  });
  return (bytes: Uint8Array, owner: string): Promise<Pixels> => ask({ bytes }, owner);
}
