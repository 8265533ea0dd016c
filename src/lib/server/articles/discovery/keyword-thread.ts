import { createReusedThread } from '../../jobs/reused-thread.ts';
import type { Keyword, ReadText } from './keywords.ts';

/** The dictionary takes 90 MB and 0.6 s to load, and no request waits for it. */
const IDLE_TIMEOUT_MS = 10_000;

/** Creates a thread that extracts the keywords of articles. */
export const createKeywordThread = (
  script = new URL('./keyword-worker.ts', import.meta.url),
  idleMs = IDLE_TIMEOUT_MS,
) => createReusedThread<ReadText, Keyword[]>(script, { idleMs });
