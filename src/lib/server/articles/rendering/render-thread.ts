import { refusal } from '../../../contract/rules/errors.ts';
import type { Rendered } from '../../../markdown/render.ts';
import { watchProcessorTime } from '../../jobs/processor-limit.ts';
import { startThread } from '../../jobs/thread.ts';
import type { RenderReply, RenderRequest } from './render-worker.ts';

/** A worker that renders one article at a time, and keeps the process alive only while it renders. */
export interface RenderThread {
  /**
   * Renders markdown (`renderMarkdown`), one article at a time.
   * @param onLong called once, if the article is not done after `shortMs`
   * @throws CONTENT_TOO_COMPLEX past a limit of markdown/limits.ts, of time or of memory; with `retryAfter`
   * if only wall-clock time ran out, as on a busy machine
   */
  render(source: string, onLong: () => void): Promise<Rendered>;
  /** Ends the thread; rejects the article in progress with `reason`. Resolves when the thread is gone. */
  stop(reason: Error): Promise<void>;
}

export interface ThreadOptions {
  /** Milliseconds of processor time in a loaded worker after which an article counts as long. */
  shortMs: number;
  /** Milliseconds of processor time for up to 50,000 characters; proportionally more for longer articles. */
  timeoutMs: number;
  /** Called when the thread has ended, by itself or through `stop`; it accepts no more articles. */
  onEnd(): void;
}

export type StartThread = (options: ThreadOptions) => RenderThread;

interface Job {
  source: string;
  onLong(): void;
}

const SCRIPT = new URL('./render-worker.ts', import.meta.url);
// Loading a worker and its grammars takes about a second; this only catches one that never becomes ready.
const LOAD_TIMEOUT_MS = 30_000;
/**
 * Megabytes. 200,000 characters of the corpus in one article need 56 of the old generation
 * (docs/decisions/0018).
 */
const HEAP = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 16 };
// A normal article takes a fifth of the limit on one slow core; the contract allows 200,000 characters.
const CHARACTERS_PER_LIMIT = 50_000;
const STARVED = { text: '服务器正忙，没能在限定时间内排版，请稍后再试', retryAfter: 30 };

/** Starts a thread. Limits count processor time: on a busy machine a normal article is not too complex. */
export function startRenderThread({ shortMs, timeoutMs, onEnd }: ThreadOptions): RenderThread {
  const options = { resourceLimits: HEAP, onEnd };
  const thread = startThread<RenderRequest, RenderReply>(SCRIPT, options);
  let job: Job | undefined;
  let endWatch = (): void => undefined;

  function watchLong(startedAt: number): void {
    const allowed = timeoutMs * Math.max(1, (job?.source.length ?? 0) / CHARACTERS_PER_LIMIT);
    const begun = performance.now();
    const watch = (limit: number, expire: (isStarved: boolean) => void): void => {
      endWatch();
      endWatch = watchProcessorTime(thread.worker, { allowed: limit, startedAt, begun }, expire);
    };
    const watchEnd = () =>
      watch(
        allowed,
        (isStarved) => void thread.stop(refusal('CONTENT_TOO_COMPLEX', isStarved ? STARVED : undefined)),
      );
    if (shortMs >= allowed) return watchEnd();
    watch(shortMs, () => {
      job?.onLong();
      watchEnd();
    });
  }

  return {
    async render(source, onLong) {
      job = { source, onLong };
      const timer = setTimeout(
        () => void thread.stop(refusal('CONTENT_TOO_COMPLEX', STARVED)),
        LOAD_TIMEOUT_MS,
      );
      endWatch = () => clearTimeout(timer);
      try {
        const reply = await thread.request({ source }, { onStarted: watchLong });
        if ('refused' in reply) throw refusal('CONTENT_TOO_COMPLEX', reply.refused);
        return reply.rendered;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw code === 'ERR_WORKER_OUT_OF_MEMORY' ? refusal('CONTENT_TOO_COMPLEX') : error;
      } finally {
        endWatch();
        job = undefined;
      }
    },
    stop: thread.stop,
  };
}
