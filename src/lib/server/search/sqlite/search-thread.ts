import { refusal } from '../../../contract/rules/errors.ts';
import { createReusedThread } from '../../jobs/reused-thread.ts';
import type { SearchPage, SearchQuery, Suggestions } from '../search.ts';
import type { SearchRequest, SearchWorkerData } from './search-worker.ts';

const DEFAULTS = {
  script: new URL('./search-worker.ts', import.meta.url),
  startMs: 30_000,
  answerMs: 5_000,
  waiting: 200,
};

/**
 * Runs searches of the SQLite `file` one after another in a worker thread. A search over the time limit is
 * refused with UNAVAILABLE and its thread replaced; a search that finds the queue full is refused too.
 */
export function createSearchThread(file: string, options?: Partial<typeof DEFAULTS>) {
  const { script, waiting, ...limits } = { ...DEFAULTS, ...options };
  const { ask, close } = createReusedThread<SearchRequest, SearchPage | Suggestions>(script, {
    ...limits,
    workerData: { file } satisfies SearchWorkerData,
    queue: { waiting, refusal: { retryAfter: 1 } },
    timedOut: () => refusal('UNAVAILABLE', { retryAfter: 5 }),
  });
  return {
    search: (query: SearchQuery) => ask({ search: query }) as Promise<SearchPage>,
    suggest: (text: string) => ask({ suggest: text }) as Promise<Suggestions>,
    close,
  };
}
