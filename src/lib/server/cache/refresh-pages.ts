import { setTimeout as delay } from 'node:timers/promises';
import type { Former, PageCache, Render } from './page-cache.ts';

/** Writes arrive in groups: an article, then the articles related to it. */
const GATHER_MS = 20;
/** Pages waiting for a render; further ones are left to their next reader. */
const MAX_WAITING = 256;
/** Pause after each render, as a multiple of its time. */
const PAUSE = 4;

/**
 * Renders invalidated pages again before their next reader asks, one after another. Takes at most a fifth of
 * the thread's time.
 * @param renderOf null for keys of anything but pages
 */
export function refreshPages<Answer>(
  cache: PageCache<Answer>,
  renderOf: (key: string) => Render<Answer> | null,
): void {
  const waiting = new Map<string, Former>();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    await delay(GATHER_MS, undefined, { ref: false });
    for (const [key, former] of waiting) {
      waiting.delete(key);
      const render = renderOf(key);
      if (!render) continue;
      const began = performance.now();
      // A page that cannot be rendered now is rendered for its next reader, who gets the error.
      await cache.refresh(key, former, render).catch(() => {});
      await delay(PAUSE * (performance.now() - began), undefined, { ref: false });
    }
    isRunning = false;
  }

  cache.onInvalidated((key, former) => {
    if (waiting.size < MAX_WAITING) waiting.set(key, former);
    if (!isRunning) void run();
  });
}
