import { Worker } from 'node:worker_threads';
import { refusal } from '../../contract/errors.ts';
import type { Rendered } from '../../markdown/render.ts';
import type { RenderReply, RenderRequest } from './render-worker.ts';

/** Renders articles in worker threads. Neither idle workers nor queued work after `close` keep the process alive. */
export interface Renderer {
  /**
   * Renders markdown (see `renderMarkdown`).
   * @throws CONTENT_TOO_COMPLEX when it nests too deeply, or takes longer than the time limit or more than the memory allowed
   */
  render(source: string): Promise<Rendered>;
  /** Ends the workers. What is still queued is rejected. */
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Workers at most; they start when they are needed. */
  size?: number;
  /**
   * Milliseconds of processor time an article of up to 50,000 characters may take, from the moment its worker, fully loaded, begins;
   * longer articles in proportion. Processor time, because a busy machine must not make an honest article too complex.
   */
  timeoutMs?: number;
}

interface Job {
  source: string;
  resolve(rendered: Rendered): void;
  reject(error: unknown): void;
}

interface Slot {
  worker: Worker;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

// Loading a worker and its grammars takes about a second; this only catches one that will never be ready.
const LOAD_TIMEOUT_MS = 30_000;
const MAX_HEAP_MB = 512;
// An honest article takes a fifth of the limit on one slow core; the contract allows 200,000 characters.
const CHARACTERS_PER_LIMIT = 50_000;
// Bounds the wait where a starved worker gets next to no processor time.
const WALL_FACTOR = 10;

/** Creates a renderer; nothing is started until the first article. Size 1, time limit 1 s (SECURITY.md 3). */
export function createRenderer({ size = 1, timeoutMs = 1_000 }: RendererOptions = {}): Renderer {
  const queue: Job[] = [];
  const slots = new Set<Slot>();
  let isClosed = false;

  function next(): void {
    if (queue.length === 0) return;
    let slot = [...slots].find(({ job }) => job === undefined);
    if (!slot && slots.size < size) slot = start();
    const job = slot && queue.shift();
    if (!slot || !job) return;
    slot.job = job;
    // While a job runs its caller waits for it, so the process must live; afterwards it may end.
    slot.worker.ref();
    limit(slot, LOAD_TIMEOUT_MS, () => discard(slot, new Error('render worker did not start')));
    slot.worker.postMessage({ source: job.source } satisfies RenderRequest);
  }

  function start(): Slot {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      // Options meant for the process, such as --input-type, must not reach the worker.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const slot: Slot = { worker, job: undefined, timer: undefined };
    slots.add(slot);
    worker.on('message', (reply: RenderReply) => hear(slot, reply));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isBomb = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      discard(slot, isBomb ? refusal('CONTENT_TOO_COMPLEX') : error);
    });
    worker.on('exit', () => discard(slot, new Error('render worker ended')));
    return slot;
  }

  function hear(slot: Slot, reply: RenderReply): void {
    if (reply.type === 'started') {
      limitProcessorTime(slot, reply.cpuMs);
      return;
    }
    const job = release(slot);
    slot.worker.unref();
    if (reply.type === 'done') job?.resolve(reply.rendered);
    else if (reply.type === 'refused') job?.reject(refusal('CONTENT_TOO_COMPLEX'));
    else job?.reject(new Error(reply.message));
    next();
  }

  function limitProcessorTime(slot: Slot, startedAt: number): void {
    const allowed = timeoutMs * Math.max(1, (slot.job?.source.length ?? 0) / CHARACTERS_PER_LIMIT);
    const deadline = performance.now() + allowed * WALL_FACTOR;
    const check = async (job: Job | undefined): Promise<void> => {
      // Fails where the worker has just ended; its exit is heard on its own.
      const usage = await slot.worker.cpuUsage().catch(() => undefined);
      if (!usage || slot.job !== job) return;
      const left = allowed - ((usage.user + usage.system) / 1_000 - startedAt);
      if (left <= 0 || performance.now() > deadline) discard(slot, refusal('CONTENT_TOO_COMPLEX'));
      else limit(slot, Math.max(left, 20), check);
    };
    limit(slot, allowed, check);
  }

  function limit(slot: Slot, ms: number, expire: (job: Job | undefined) => unknown): void {
    clearTimeout(slot.timer);
    const { job } = slot;
    slot.timer = setTimeout(() => {
      // A reply may be waiting behind whatever kept this thread busy; it is heard before the next check phase ends.
      setImmediate(() => setImmediate(() => slot.job === job && expire(job)));
    }, ms);
  }

  function release(slot: Slot): Job | undefined {
    clearTimeout(slot.timer);
    const { job } = slot;
    slot.job = undefined;
    return job;
  }

  /** Gives a worker up; the next job gets a new one. */
  function discard(slot: Slot, reason: unknown): void {
    if (!slots.delete(slot)) return;
    release(slot)?.reject(reason);
    void slot.worker.terminate();
    next();
  }

  return {
    render(source) {
      if (isClosed) return Promise.reject(new Error('renderer is closed'));
      return new Promise((resolve, reject) => {
        queue.push({ source, resolve, reject });
        next();
      });
    },
    async close() {
      isClosed = true;
      for (const job of queue.splice(0)) job.reject(new Error('renderer is closed'));
      const workers = [...slots].map(({ worker }) => worker);
      for (const slot of slots) discard(slot, new Error('renderer is closed'));
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
