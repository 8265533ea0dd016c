import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { refusal, type Refusal } from '../../contract/errors.ts';
import { addressKey } from '../address.ts';
import type { RequestLimiter } from '../auth/guard.ts';
import type { HttpResponse } from '../http-handler.ts';
import { plainAnswer } from '../plain-answers.ts';
import { createQueue } from '../queue.ts';

/**
 * Pages that are rendered at once, and that wait. A page takes one to a few milliseconds of the only thread;
 * what it waits for meanwhile is storage or a search, so a few at once are enough, and one address must leave
 * places to others.
 */
const TURNS = { running: 8, runningEach: 2, waiting: 256, waitingEach: 32 };
/**
 * Longest wait for a turn: with what storage may take (storage.ts), every request is answered within about 5
 * s.
 */
const PATIENCE_MS = 1_500;
const RETRY_AFTER_S = 2;

/** Renders of pages, the one work that everybody's requests for pages share. */
export interface Renders {
  /**
   * Runs `render` on account of the client at `address`, when its turn comes; resolves or rejects as it does.
   * Refuses TOO_MANY_REQUESTS for an address that has had too many, UNAVAILABLE when too many wait or its
   * turn does not come.
   */
  run<T>(render: () => Promise<T>, address: string): Promise<T>;
}

/** Bounds renders by address: how many in a time by `limiter`, how many at once and in line by turns. */
export function createRenders(limiter: RequestLimiter): Renders {
  const queue = createQueue(TURNS);
  // A render of what is in memory never waits: without a pause the next would begin before any other request
  // is read.
  let pause: Promise<void> = Promise.resolve();
  const pausing = () => (pause = pause.then(() => setImmediate()));

  return {
    async run(render, address) {
      await limiter.consume(address, 'page');
      let isLate = false;
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        isLate = true;
        late.reject(refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER_S }));
      }, PATIENCE_MS);
      const turn = async () => {
        clearTimeout(timer);
        // Nobody waits for it any more.
        if (isLate) return late.promise;
        await pausing();
        return render();
      };
      const rendered = queue.run(turn, addressKey(address)).finally(() => clearTimeout(timer));
      return Promise.race([rendered, late.promise]);
    },
  };
}

/** A page's answer, whole. */
export interface PlainAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/**
 * What a reader is told instead of a page that is not rendered now: one sentence, since a page would be a
 * render.
 */
export function refusedPage(refused: Refusal): PlainAnswer {
  const { status, headers, body } = plainAnswer(refused);
  const fields = { 'Retry-After': String(RETRY_AFTER_S), ...headers };
  return { status, headers: fields, bytes: Buffer.from(body) };
}

/** Sends an answer under a request id of its own. */
export function sendAnswer(
  { status, headers, bytes }: PlainAnswer,
  { method }: IncomingMessage,
  response: HttpResponse,
): void {
  const requestId = (response.requestId = randomUUID());
  const own = { 'X-Request-Id': requestId, 'Content-Length': bytes.length };
  response.writeHead(status, { ...headers, ...own }).end(method === 'HEAD' ? undefined : bytes);
}
