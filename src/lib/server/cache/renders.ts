import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../../contract/rules/errors.ts';
import { addressKey } from '../http/address.ts';
import type { RequestLimiter } from '../auth/guard/guard.ts';
import type { HttpResponse } from '../http/http-handler.ts';
import { refusalAnswer } from '../http/refusal-answers.ts';
import { createTurns, RETRY_AFTER_S } from '../jobs/turns.ts';

/**
 * Pages rendering and waiting. A page takes one to a few milliseconds of the only thread and otherwise waits
 * for storage or a search, so a few at once are enough. Per-client limits leave room for others.
 */
const TURNS = { running: 8, runningEach: 2, waiting: 256, waitingEach: 32 };

export type Renders = ReturnType<typeof createRenders>;

export function createRenders(limiter: RequestLimiter) {
  const turns = createTurns('page', TURNS);
  return {
    /**
     * Runs `render` in the turn of the client at `address`; settles as it does. Refuses with
     * TOO_MANY_REQUESTS when the address exceeds its rate, UNAVAILABLE when the queue is full or the turn
     * does not come.
     */
    async run<T>(render: () => Promise<T>, address: string): Promise<T> {
      await limiter.consume(address, 'page');
      return turns.run(render, addressKey(address));
    },
    /** Runs `render` for no client, in turn with those of clients. */
    refresh: <T>(render: () => Promise<T>): Promise<T> => turns.run(render, ''),
  };
}

export interface RenderedAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  /** Tags of a page that may be cached for all visitors. */
  tags?: readonly string[] | null;
}

/** Returns the response for a refused render: one sentence, because a page would need a render. */
export function refusedPage(refused: Refusal): RenderedAnswer {
  const { status, headers, body } = refusalAnswer(refused);
  const fields = { 'Retry-After': String(RETRY_AFTER_S), ...headers };
  return { status, headers: fields, bytes: Buffer.from(body) };
}

export function sendAnswer(
  { status, headers, bytes }: RenderedAnswer,
  { method }: IncomingMessage,
  response: HttpResponse,
): void {
  const requestId = (response.requestId = randomUUID());
  const own = { 'X-Request-Id': requestId, 'Content-Length': bytes.length };
  response.writeHead(status, { ...headers, ...own }).end(method === 'HEAD' ? undefined : bytes);
}
