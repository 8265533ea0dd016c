import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isRefusal, refuse } from '../../contract/errors.ts';
import type { Rendered } from '../../markdown/render.ts';
import { RENDERER_VERSION } from '../../markdown/version.ts';
import { isMuchWork } from '../../markdown/work.ts';
import { createIdleTimer, WORKER_IDLE_MS, type IdleTimer } from '../idle-timer.ts';
import { createQueue } from '../queue.ts';
import { startRenderThread, type RenderThread, type StartThread } from './render-thread.ts';

/** Owner of the site's own renderings: one after another, never refused because others wait. */
export const SITE_OWNER = 'site';

/** Renders articles in worker threads; idle ones, or work queued after `close`, keep no process alive. */
export interface Renderer {
  /**
   * Renders markdown (`renderMarkdown`) when its turn comes; an owner's same text once.
   * @param owner an author's id, or SITE_OWNER; owners take turns
   * @throws CONTENT_TOO_COMPLEX past a bound of markdown/limits.ts, the time or the memory allowed;
   * UNAVAILABLE with `retryAfter` when too many wait, or too many of this owner
   */
  render(source: string, owner: string): Promise<Rendered>;
  /** Ends the workers. What is still queued is rejected. */
  close(): Promise<void>;
}

export interface RendererOptions {
  /** See `ThreadOptions`. */
  timeoutMs?: number;
  shortMs?: number;
  start?: StartThread;
  /** One worker, without a short place: for a process in which nobody waits for a page. */
  isBulk?: boolean;
}

interface Job {
  source: string;
  owner: string;
  /** Names the text among those that were refused. */
  digest: string;
}

/** The median of the corpus's 430 takes 22 ms, 95 of 100 take 112, the longest 260 on a busy machine. */
const SHORT_MS = 300;
const BUSY = '等待排版的文章太多，请稍后再试';
/** 64 short articles are 20 s, 16 long ones a minute or so: an editor waits two minutes for an answer. */
const SHORT_QUEUE = { waiting: 64, waitingEach: 8, refusal: { text: BUSY, retryAfter: 5 } };
const LONG_QUEUE = { waiting: 16, waitingEach: 4, refusal: { text: BUSY, retryAfter: 20 } };
/** How long an owner whose article was long begins in the long place. */
const SLOW_OWNER_MS = 600_000;
/** Processor time depends on the machine a little: a text that was refused is tried again after an hour. */
const REFUSED_MS = 3_600_000;
/** An author who writes needs one thread; the second is for the next long article alone. */
const SPARE_IDLE_MS = 60_000;

/**
 * Creates a renderer, started by the first article (defaults: SECURITY.md 3). It has a short and a long
 * place, a worker each. Articles begin in the short one unless known, or their author's last, to be long.
 * After `shortMs` one goes on as the long one if that is free, else begins anew there in its turn: a short
 * article waits at most `shortMs` for each other author, and for a worker to load.
 */
export function createRenderer({
  timeoutMs = 1_000,
  shortMs = SHORT_MS,
  start = startRenderThread,
  isBulk = false,
}: RendererOptions = {}): Renderer {
  const short = createQueue({ running: 1, ...SHORT_QUEUE, neverRefused: SITE_OWNER });
  const long = createQueue({ running: 1, ...LONG_QUEUE, neverRefused: SITE_OWNER });
  const slowOwners = new LRUCache<string, true>({ max: 1_000, ttl: SLOW_OWNER_MS });
  const refused = new LRUCache<string, string>({ max: 1_000, ttl: REFUSED_MS });
  const threads = createThreads((onEnd) => start({ shortMs, timeoutMs, onEnd }));
  /** What is being rendered or waits, by owner and text. */
  const pending = new Map<string, Promise<Rendered>>();
  /** Articles that have the long place or wait for it. */
  let inLong = 0;
  let isClosed = false;

  /** Refuses, without a worker, what has been refused since it was asked for. */
  function refuseKnown({ digest }: Job): void {
    if (isClosed) throw closed();
    const text = refused.get(digest);
    if (text !== undefined) refuse('CONTENT_TOO_COMPLEX', { text });
  }

  /** Renders on a thread, whose place the caller has. */
  function begin({ source, digest }: Job, onLong: () => void) {
    const { result, stop } = threads.render(source, onLong);
    const remember = (error: unknown): never => {
      if (isRefusal(error, 'CONTENT_TOO_COMPLEX') && error.retryAfter === undefined)
        refused.set(digest, error.message);
      throw error;
    };
    return { result: result.catch(remember), stop };
  }

  async function takeLongPlace(work: () => Promise<Rendered>, owner: string): Promise<Rendered> {
    inLong++;
    try {
      return await long.run(work, owner);
    } finally {
      inLong--;
    }
  }

  const renderLong = (job: Job) =>
    takeLongPlace(() => {
      refuseKnown(job);
      return begin(job, () => undefined).result;
    }, job.owner);

  /** Resolves when the short place is free; `result` may still be under way, or waiting, in the long one. */
  async function renderShort(job: Job): Promise<{ result: Promise<Rendered> }> {
    refuseKnown(job);
    if (slowOwners.has(job.owner)) return { result: renderLong(job) };
    const { promise: isLong, resolve: onLong } = Promise.withResolvers<'long'>();
    const { result, stop } = begin(job, () => onLong('long'));
    if ((await Promise.race([result, isLong])) !== 'long') return { result };
    slowOwners.set(job.owner, true);
    if (inLong === 0) return { result: takeLongPlace(() => result, job.owner) };
    await stop(new Error('stopped, to begin anew in the long place'));
    return { result: renderLong(job) };
  }

  async function renderInTurn(job: Job): Promise<Rendered> {
    refuseKnown(job);
    if (isBulk || slowOwners.has(job.owner) || isMuchWork(job.source)) return renderLong(job);
    const { result } = await short.run(() => renderShort(job), job.owner);
    return result;
  }

  return {
    render(source, owner) {
      const digest = digestOf(source);
      const key = `${owner} ${digest}`;
      let rendering = pending.get(key);
      if (!rendering) {
        rendering = renderInTurn({ source, owner, digest }).finally(() => pending.delete(key));
        pending.set(key, rendering);
      }
      return rendering;
    },
    async close() {
      isClosed = true;
      await threads.close(closed());
    },
  };
}

const closed = () => new Error('renderer is closed');

const digestOf = (source: string): string =>
  createHash('sha256').update(`${RENDERER_VERSION} `).update(source).digest('base64url');

/** Threads that are used again, the last used first: any but the only one ends when idle for a minute. */
function createThreads(startThread: (onEnd: () => void) => RenderThread) {
  const idle: IdleThread[] = [];
  const busy = new Set<IdleThread>();

  function start(): IdleThread {
    const thread = startThread(() => {
      busy.delete(started);
      if (idle.includes(started)) idle.splice(idle.indexOf(started), 1);
      started.timer.wake();
    });
    const stop = () => void thread.stop(closed());
    const onlyOne = createIdleTimer(stop, WORKER_IDLE_MS - SPARE_IDLE_MS);
    const spare = createIdleTimer(
      () => (idle.length + busy.size > 1 ? stop() : onlyOne.rest()),
      SPARE_IDLE_MS,
    );
    const timer = { rest: spare.rest, wake: () => [spare, onlyOne].forEach((each) => each.wake()) };
    const started = { thread, timer };
    return started;
  }

  function release(started: IdleThread): void {
    if (!busy.delete(started)) return;
    idle.push(started);
    started.timer.rest();
  }

  return {
    /** Renders on a thread that is idle, or a new one. `stop` ends that thread. */
    render(source: string, onLong: () => void) {
      const taken = idle.pop() ?? start();
      const { thread, timer } = taken;
      timer.wake();
      busy.add(taken);
      const result = thread.render(source, onLong).finally(() => release(taken));
      return { result, stop: (reason: Error) => thread.stop(reason) };
    },
    async close(reason: Error): Promise<void> {
      await Promise.all([...idle, ...busy].map(({ thread }) => thread.stop(reason)));
    },
  };
}

interface IdleThread {
  thread: RenderThread;
  timer: IdleTimer;
}
