import { MINUTE_MS } from '../../../shared/units.ts';
import { createReusedThread } from '../../jobs/reused-thread.ts';
import type { FeedText } from './feed-worker.ts';

const SCRIPT = new URL('./feed-worker.ts', import.meta.url);
/** Processor time; the longest article of the corpus takes 30 ms. */
const TIMEOUT_MS = 3_000;

/** Creates a thread that converts the HTML of articles for feeds: 1.5 MB of list items take 0.5 s. */
export const createFeedThread = () =>
  createReusedThread<FeedText, string>(SCRIPT, { idleMs: MINUTE_MS, answerMs: TIMEOUT_MS });
