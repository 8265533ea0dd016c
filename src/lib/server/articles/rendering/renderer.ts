import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isRefusal, isTemporary, refuse } from '../../../contract/rules/errors.ts';
import type { Rendered } from '../../../markdown/render.ts';
import { RENDERER_VERSION } from '../../../markdown/version.ts';
import { isMuchWork } from '../../../markdown/work.ts';
import { createIdleTimer, WORKER_IDLE_MS, type IdleTimer } from '../../jobs/idle-timer.ts';
import { createQueue } from '../../jobs/queue.ts';
import { startRenderThread, type RenderThread, type StartThread } from './render-thread.ts';
import { HOUR_MS, MINUTE_MS } from '../../../contract/rules/units.ts';

/** Owner of the site's own jobs: they run one at a time and are never refused for a full queue. */
export const SITE_OWNER = 'site';

/** Renders articles in worker threads. Idle threads, and jobs queued after `close`, keep no process alive. */
export interface Renderer {
  /**
   * Renders markdown (`renderMarkdown`) in turn; equal texts of one owner are rendered only once.
   * @param owner an author's id, or SITE_OWNER; owners take turns
   * @throws CONTENT_TOO_COMPLEX past a limit of markdown/limits.ts, of time or of memory; UNAVAILABLE with
   * `retryAfter` if the queue, or this owner's share of it, is full
   */
  render(source: string, owner: string): Promise<Rendered>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** See `ThreadOptions`. */
  timeoutMs?: number;
  shortMs?: number;
  start?: StartThread;
  /** One worker and only the long queue, for a process that serves no pages. */
  isBulk?: boolean;
}

interface Job {
  source: string;
  owner: string;
  digest: string;
}

/**
 * The corpus's 430 articles take 22 ms (median), 112 (95th percentile) and 260 (longest, on a busy machine).
 */
const SHORT_LANE_LIMIT_MS = 300;
const BUSY = '等待排版的文章太多，请稍后再试';
/** 64 short articles take 20 s, 16 long ones about a minute; the editor waits two minutes for a response. */
const SHORT_QUEUE = { waiting: 64, waitingEach: 8, refusal: { text: BUSY, retryAfter: 5 } };
const LONG_QUEUE = { waiting: 16, waitingEach: 4, refusal: { text: BUSY, retryAfter: 20 } };
/** An owner's articles start in the long queue for this time after a long one. */
const SLOW_OWNER_RETENTION_MS = 600_000;
/** Processor time varies slightly with the machine: a refused text is tried again after an hour. */
const REFUSAL_RETENTION_MS = HOUR_MS;
/**
 * Idle time of the second thread: one is enough for an author, the second only serves the next long article.
 */
const SPARE_IDLE_TIMEOUT_MS = MINUTE_MS;

/**
 * Creates a renderer, which starts with the first article (defaults: SECURITY.md 3). It has a short and a
 * long queue with one worker each. Articles start in the short queue unless they, or their author's last one,
 * are known to be long. After `shortMs` an article continues in the long slot if that is free, else it
 * restarts in the long queue: a short article waits at most `shortMs` for each other author, and for a worker
 * to load.
 */
export function createRenderer({
  timeoutMs = 1_000,
  shortMs = SHORT_LANE_LIMIT_MS,
  start = startRenderThread,
  isBulk = false,
}: RendererOptions = {}): Renderer {
  const short = createQueue({ running: 1, ...SHORT_QUEUE, neverRefused: SITE_OWNER });
  const long = createQueue({ running: 1, ...LONG_QUEUE, neverRefused: SITE_OWNER });
  const slowOwners = new LRUCache<string, true>({ max: 1_000, ttl: SLOW_OWNER_RETENTION_MS });
  const refused = new LRUCache<string, string>({ max: 1_000, ttl: REFUSAL_RETENTION_MS });
  const threads = createThreads((onEnd) => start({ shortMs, timeoutMs, onEnd }));
  const pending = new Map<string, Promise<Rendered>>();
  let inLong = 0;
  let isClosed = false;

  /** Refuses a text that was refused while this job waited, without using a worker. */
  function refuseKnown({ digest }: Job): void {
    if (isClosed) throw closed();
    const text = refused.get(digest);
    if (text !== undefined) refuse('CONTENT_TOO_COMPLEX', { text });
  }

  function begin({ source, digest }: Job, onLong: () => void) {
    const { result, stop } = threads.render(source, onLong);
    const remember = (error: unknown): never => {
      if (isRefusal(error, 'CONTENT_TOO_COMPLEX') && !isTemporary(error)) refused.set(digest, error.message);
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

  /** Resolves when the short slot is free; `result` may still be running, or waiting in the long queue. */
  async function renderShort(job: Job): Promise<{ result: Promise<Rendered> }> {
    refuseKnown(job);
    if (slowOwners.has(job.owner)) return { result: renderLong(job) };
    const { promise: isLong, resolve: onLong } = Promise.withResolvers<'long'>();
    const { result, stop } = begin(job, () => onLong('long'));
    if ((await Promise.race([result, isLong])) !== 'long') return { result };
    slowOwners.set(job.owner, true);
    if (inLong === 0) return { result: takeLongPlace(() => result, job.owner) };
    await stop(new Error('stopped, to restart in the lane for long renders'));
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

/**
 * Pool of threads; takes the most recently used idle thread first. A thread ends after a minute of idling,
 * the only one after five.
 */
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
    const onlyOne = createIdleTimer(stop, WORKER_IDLE_MS - SPARE_IDLE_TIMEOUT_MS);
    const spare = createIdleTimer(
      () => (idle.length + busy.size > 1 ? stop() : onlyOne.rest()),
      SPARE_IDLE_TIMEOUT_MS,
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
