import { createReusedThread } from '../jobs/reused-thread.ts';
import type { IconMark, PictureText } from './picture.ts';

const SCRIPT = new URL('./og-worker.ts', import.meta.url);
/** One thread. Other requests wait, only a few per address. */
const QUEUE_LIMITS = { waiting: 64, waitingEach: 8 };
/** Timeout per picture, including loading fonts: a hundred times the usual duration. */
const DRAW_TIMEOUT_MS = 20_000;
/** Idle time until the thread ends. It holds 80 MB of fonts and code, and each picture is drawn only once. */
const IDLE_TIMEOUT_MS = 5_000;

export function createDrawer() {
  const options = { idleMs: IDLE_TIMEOUT_MS, queue: QUEUE_LIMITS, startMs: DRAW_TIMEOUT_MS };
  const { ask, close } = createReusedThread<PictureText | IconMark, Uint8Array>(SCRIPT, options);
  return {
    /**
     * Returns a PNG. @param address whose turn in the queue it uses; refuses with UNAVAILABLE if too many
     * wait
     */
    draw: (text: PictureText, address: string): Promise<Uint8Array> => ask(text, address),

    /** Returns an SVG. */
    drawIcon: (mark: IconMark): Promise<Uint8Array> => ask(mark, 'icons'),

    close,
  };
}

export type Drawer = ReturnType<typeof createDrawer>;
