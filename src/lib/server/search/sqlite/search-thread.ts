import { Worker } from 'node:worker_threads';
import { refusal } from '../../../contract/rules/errors.ts';
import { createIdleTimer, WORKER_IDLE_MS, type IdleTimer } from '../../jobs/idle-timer.ts';
import type { SearchPage, SearchQuery, Suggestions } from '../search.ts';
import type { SearchRequest, SearchWorkerData, SearchWorkerMessage } from './search-worker.ts';

/** Limits of a search thread, in milliseconds except `queueLimit`. */
export interface SearchThreadOptions {
  timeLimit: number;
  startLimit: number;
  queueLimit: number;
  idleLimit: number;
  script: URL;
}

const DEFAULTS: SearchThreadOptions = {
  timeLimit: 5_000,
  startLimit: 30_000,
  queueLimit: 200,
  idleLimit: WORKER_IDLE_MS,
  script: new URL('./search-worker.ts', import.meta.url),
};

interface Job {
  request: SearchRequest;
  resolve(found: SearchPage | Suggestions): void;
  reject(error: unknown): void;
}

/**
 * Runs searches of the SQLite `file` one after another in a worker thread. A search over the time limit is
 * refused with UNAVAILABLE and its thread replaced; a search that finds the queue full is refused too. An
 * idle thread does not keep the process alive and ends after a while; the next search starts another.
 */
export class SearchThread {
  readonly #data: SearchWorkerData;
  readonly #options: SearchThreadOptions;
  #worker: Worker | undefined;
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #idle: IdleTimer;
  #ended: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(file: string, options: Partial<SearchThreadOptions> = {}) {
    this.#data = { file };
    this.#options = { ...DEFAULTS, ...options };
    this.#idle = createIdleTimer(() => this.#end(), this.#options.idleLimit);
  }

  run(request: { search: SearchQuery }): Promise<SearchPage>;
  run(request: { suggest: string }): Promise<Suggestions>;
  run(request: SearchRequest): Promise<SearchPage | Suggestions> {
    if (this.#isClosed || this.#waiting.length >= this.#options.queueLimit) {
      return Promise.reject(refusal('UNAVAILABLE', { retryAfter: 1 }));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; pending searches are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.reject(refusal('UNAVAILABLE'));
    this.#finish()?.reject(refusal('UNAVAILABLE'));
    this.#end();
    await this.#ended;
  }

  #next(): void {
    if (this.#current || this.#isClosed) return;
    this.#current = this.#waiting.shift();
    if (!this.#current) return;
    this.#idle.wake();
    const isNew = this.#worker === undefined;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#limit(isNew ? this.#options.startLimit : this.#options.timeLimit);
    this.#worker.postMessage(this.#current.request);
  }

  #limit(time: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#replace(refusal('UNAVAILABLE', { retryAfter: 5 })), time);
  }

  #start(): Worker {
    const worker = new Worker(this.#options.script, { workerData: this.#data });
    const isCurrent = () => worker === this.#worker;
    worker.on('message', (message: SearchWorkerMessage) => {
      if (!isCurrent()) return;
      if (message === 'ready') {
        if (this.#current) this.#limit(this.#options.timeLimit);
        return;
      }
      const job = this.#finish();
      if ('found' in message) job?.resolve(message.found);
      else job?.reject(new Error(`search failed: ${message.error}`));
      this.#next();
    });
    worker.on('error', (error) => {
      if (isCurrent()) this.#replace(error);
    });
    worker.on('exit', () => {
      if (isCurrent()) this.#replace(new Error('the search thread ended'));
    });
    return worker;
  }

  #finish(): Job | undefined {
    clearTimeout(this.#timer);
    this.#worker?.unref();
    this.#idle.rest();
    const job = this.#current;
    this.#current = undefined;
    return job;
  }

  /** Rejects the current search and replaces the thread without waiting for SQLite to finish its step. */
  #replace(error: unknown): void {
    const job = this.#finish();
    this.#end();
    job?.reject(error);
    this.#next();
  }

  #end(): void {
    this.#idle.wake();
    const worker = this.#worker;
    this.#worker = undefined;
    this.#ended = Promise.all([this.#ended, worker?.terminate()]);
  }
}
