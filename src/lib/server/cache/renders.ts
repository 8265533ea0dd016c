import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../../contract/errors.ts';
import { addressKey } from '../address.ts';
import type { RequestLimiter } from '../auth/guard.ts';
import type { HttpResponse } from '../http-handler.ts';
import { plainAnswer } from '../plain-answers.ts';
import { createTurns, RETRY_AFTER_S } from '../turns.ts';

/**
 * Pages that are rendered at once, and that wait. A page takes one to a few milliseconds of the only thread;
 * what it waits for meanwhile is storage or a search, so a few at once are enough, and one address must leave
 * places to others.
 */
const TURNS = { running: 8, runningEach: 2, waiting: 256, waitingEach: 32 };
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
  const turns = createTurns('page', TURNS);
  return {
    async run(render, address) {
      await limiter.consume(address, 'page');
      return turns.run(render, addressKey(address));
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
