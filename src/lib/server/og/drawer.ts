import { Worker } from 'node:worker_threads';
import { createIdleTimer } from '../jobs/idle-timer.ts';
import { createQueue } from '../jobs/queue.ts';
import type { PictureReply } from './og-worker.ts';
import type { PictureText } from './picture.ts';

/** One thread. Other requests wait, only a few per address. */
const QUEUE_LIMITS = { running: 1, waiting: 64, waitingEach: 8 };
/** Timeout per picture, including loading fonts: a hundred times the usual duration. */
const DRAW_TIMEOUT_MS = 20_000;
/** Idle time until the thread ends. It holds 80 MB of fonts and code, and each picture is drawn only once. */
const IDLE_TIMEOUT_MS = 5_000;

export function createDrawer() {
  const queue = createQueue(QUEUE_LIMITS);
  let worker: Worker | undefined;
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(new URL('./og-worker.ts', import.meta.url), { execArgv: [] });
    started.unref();
    return started;
  }
  async function end(): Promise<void> {
    idle.wake();
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }
  const idle = createIdleTimer(() => void end(), IDLE_TIMEOUT_MS);

  async function drawNow(text: PictureText): Promise<Uint8Array> {
    if (isClosed) throw new Error('drawer is closed');
    idle.wake();
    const thread = (worker ??= start());
    thread.ref();
    const { promise, resolve, reject } = Promise.withResolvers<PictureReply>();
    const stopped = () => reject(new Error('the drawing thread ended'));
    const timer = setTimeout(() => reject(new Error('the picture takes too long')), DRAW_TIMEOUT_MS);
    thread.once('message', resolve).once('error', reject).once('exit', stopped);
    try {
      thread.postMessage(text);
      const reply = await promise;
      if ('error' in reply) throw new Error(reply.error);
      return reply.png;
    } catch (error) {
      await end();
      throw error;
    } finally {
      clearTimeout(timer);
      thread.off('message', resolve).off('error', reject).off('exit', stopped).unref();
      idle.rest();
    }
  }

  return {
    /**
     * Returns a PNG. @param address whose turn in the queue it uses; refuses with UNAVAILABLE if too many
     * wait
     */
    draw: (text: PictureText, address: string): Promise<Uint8Array> =>
      queue.run(() => drawNow(text), address),
    async close(): Promise<void> {
      isClosed = true;
      await end();
    },
  };
}

export type Drawer = ReturnType<typeof createDrawer>;
