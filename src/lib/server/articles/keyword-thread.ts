import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Keyword, ReadText } from './keywords.ts';

/** Chooses the words of articles in a thread of its own, which begins with the first of them. */
export interface KeywordThread {
  /** One article at a time: whoever asks waits for the answer. Rejects when the thread fails, or ends. */
  keywordsOf(article: ReadText): Promise<Keyword[]>;
  /** Ends the thread, which takes its memory with it; the next article begins another. */
  end(): Promise<void>;
}

/** Creates it; it keeps no process alive. */
export function createKeywordThread(script = new URL('./keyword-worker.ts', import.meta.url)): KeywordThread {
  let worker: Worker | undefined;
  let ending = new AbortController();
  return {
    async keywordsOf(article) {
      worker ??= new Worker(script);
      worker.unref();
      const answer = once(worker, 'message', { signal: ending.signal });
      worker.postMessage(article);
      try {
        const [keywords] = (await answer) as [Keyword[]];
        return keywords;
      } catch (error) {
        void worker?.terminate();
        worker = undefined;
        throw error;
      }
    },
    async end() {
      const ended = worker;
      worker = undefined;
      ending.abort(new Error('the thread ended'));
      ending = new AbortController();
      await ended?.terminate();
    },
  };
}
