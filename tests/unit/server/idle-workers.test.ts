import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeywordThread } from '../../../src/lib/server/articles/discovery/related-service.ts';
import { createRenderer } from '../../../src/lib/server/articles/rendering/renderer.ts';
import { WORKER_IDLE_MS } from '../../../src/lib/server/jobs/idle-timer.ts';
import { createDrawer } from '../../../src/lib/server/og/drawer.ts';
import { createSearchThread } from '../../../src/lib/server/search/sqlite/search-thread.ts';

const workers = new Set<Worker>();
const started = (worker: Worker): void => {
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
};
beforeEach(() => {
  process.on('worker', started);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  process.off('worker', started);
  vi.useRealTimers();
});
/** Resolves when no thread is left. */
async function allEnded(): Promise<void> {
  while (workers.size > 0) await turn();
}

/** Script of a worker that responds to each message with the thread's id and the message. */
const script = (answer: string) =>
  new URL(
    `data:text/javascript,import{parentPort,threadId}from"node:worker_threads";parentPort.on("message",m=>parentPort.postMessage({value:${answer}}))`,
  );
const KEYWORDS = script('[{term:m.title,weight:threadId}]');
const SEARCH = script('{total:threadId,page:m.search.page}');

/** Every kind of reusable worker. `ask` resolves to the name of the job. */
const kinds = {
  keywords: () => {
    const thread = createKeywordThread(KEYWORDS, WORKER_IDLE_MS);
    return {
      ask: async (name: number) => {
        const [keyword] = await thread.ask({ title: String(name), text: '' });
        return Number(keyword?.term);
      },
      close: () => thread.close(),
    };
  },
  search: () => {
    const thread = createSearchThread('unused.db', { script: SEARCH });
    return {
      ask: async (name: number) => (await thread.search({ keywords: '', page: name, pageSize: 10 })).page,
      close: () => thread.close(),
    };
  },
  renderer: () => {
    const renderer = createRenderer({ timeoutMs: 60_000 });
    return {
      ask: async (name: number) => Number((await renderer.render(String(name), '作者')).text),
      close: () => renderer.close(),
    };
  },
  'link pictures': () => {
    const drawer = createDrawer();
    return {
      ask: async (name: number) => {
        const png = await drawer.draw({ title: String(name), author: '', site: '', seal: null }, '127.0.0.1');
        return png.length > 0 ? name : 0;
      },
      close: () => drawer.close(),
    };
  },
};

for (const [kind, open] of Object.entries(kinds)) {
  test(`${kind}: an idle worker exits, and the next job starts another`, { timeout: 60_000 }, async () => {
    const { ask, close } = open();
    expect(await ask(1)).toBe(1);
    expect(workers.size).toBe(1);
    vi.advanceTimersByTime(WORKER_IDLE_MS);
    await allEnded();
    expect(await ask(2)).toBe(2);
    expect(workers.size).toBe(1);
    await close();
    await allEnded();
  });

  test(`${kind}: a job that arrives as the worker exits is run`, { timeout: 60_000 }, async () => {
    const { ask, close } = open();
    await ask(1);
    vi.advanceTimersByTime(WORKER_IDLE_MS - 1);
    const justBefore = ask(2);
    vi.advanceTimersByTime(2);
    expect(await justBefore).toBe(2);
    // The worker has been told to end but is still alive.
    vi.advanceTimersByTime(WORKER_IDLE_MS);
    expect(await Promise.all([ask(3), ask(4)])).toEqual([3, 4]);
    await close();
    await allEnded();
  });

  test(`${kind}: many concurrent jobs share one worker`, { timeout: 60_000 }, async () => {
    const { ask, close } = open();
    const names = [1, 2, 3, 4, 5, 6];
    expect(await Promise.all(names.map(ask))).toEqual(names);
    expect(workers.size).toBe(1);
    await close();
    await allEnded();
  });

  test(`${kind}: stopping while a worker exits leaves none`, { timeout: 60_000 }, async () => {
    const { ask, close } = open();
    await ask(1);
    vi.advanceTimersByTime(WORKER_IDLE_MS);
    await close();
    await allEnded();
    await expect(ask(2)).rejects.toThrow(/closed|不可用/);
    expect(workers.size).toBe(0);
  });
}
