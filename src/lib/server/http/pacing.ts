import type { IncomingMessage } from 'node:http';
import { addressKey, clientAddress } from './address.ts';
import type { HttpHandler } from './http-handler.ts';
import { letOthersGo } from '../jobs/pauses.ts';
import { createQueue } from '../jobs/queue.ts';

/** Time for requests in one round of the event loop: about 25 calls. */
const ROUND_BUDGET_MS = 10;

interface Options {
  /** Number of trusted proxies that a request passes. */
  trustedHops: number;
  /** Milliseconds. */
  now?: () => number;
}

/**
 * Creates a handler that spreads a burst of requests over rounds of the event loop. Requests begin at once
 * until requests of the round have taken `ROUND_BUDGET_MS`. After that they begin one at a time, with some
 * rounds between and clients in turn, so a flood delays a request of another client by a single request.
 */
export function createPacing({ trustedHops, now = () => performance.now() }: Options): HttpHandler {
  const rounds = createQueue({ running: 1, waiting: Infinity });
  /** Time when the first request of the current round began; null before it. */
  let startedAt: number | null = null;
  let waiting = 0;
  const endRound = () => {
    startedAt = null;
  };
  async function wait(request: IncomingMessage, next: () => void): Promise<void> {
    waiting++;
    await rounds.run(letOthersGo, addressKey(clientAddress(request, trustedHops)));
    waiting--;
    if (!request.socket.destroyed) next();
  }

  return (request, _response, next) => {
    if (startedAt === null && waiting === 0) {
      startedAt = now();
      setImmediate(endRound);
      return next();
    }
    if (waiting === 0 && startedAt !== null && now() - startedAt < ROUND_BUDGET_MS) return next();
    void wait(request, next);
  };
}
