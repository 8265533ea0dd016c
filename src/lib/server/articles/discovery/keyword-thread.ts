import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createIdleTimer } from '../../jobs/idle-timer.ts';
import type { Keyword, ReadText } from './keywords.ts';

/** Extracts keywords in a worker thread, which ends when idle (idle-timer.ts). */
export interface KeywordThread {
  /** Handles one article at a time. Rejects when the thread fails, and after `close`. */
  keywordsOf(article: ReadText): Promise<Keyword[]>;
  /** Ends the thread; rejects the article in progress. */
  close(): Promise<void>;
}

/** The dictionary takes 90 MB and 0.6 s to load, and no request waits for it. */
const IDLE_TIMEOUT_MS = 10_000;

/** Creates a thread that does not keep the process alive. */
export function createKeywordThread(
  script = new URL('./keyword-worker.ts', import.meta.url),
  idleMs = IDLE_TIMEOUT_MS,
): KeywordThread {
  const closing = new AbortController();
  const idle = createIdleTimer(() => void end(), idleMs);
  let worker: Worker | undefined;
  let tail: Promise<unknown> = Promise.resolve();

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  async function ask(article: ReadText): Promise<Keyword[]> {
    closing.signal.throwIfAborted();
    idle.wake();
    worker ??= new Worker(script);
    worker.unref();
    const answer = once(worker, 'message', { signal: closing.signal });
    worker.postMessage(article);
    try {
      const [keywords] = (await answer) as [Keyword[]];
      idle.rest();
      return keywords;
    } catch (error) {
      await end();
      throw error;
    }
  }

  return {
    keywordsOf(article) {
      const answer = tail.then(() => ask(article));
      tail = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      idle.wake();
      closing.abort(new Error('the keyword thread is closed'));
      await tail;
      await end();
    },
  };
}
