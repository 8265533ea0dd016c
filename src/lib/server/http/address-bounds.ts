import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { refusal } from '../../contract/rules/errors.ts';
import { addressKey, clientAddress } from './address.ts';
import type { HttpResponse } from './http-handler.ts';
import { rawAnswer, refusePlainly } from './refusal-answers.ts';

export interface AddressBounds {
  /** Maximum open connections per address; behind proxies, current requests and live sockets per client. */
  perAddress: number;
  /** Number of trusted proxies. If there are any, all connections are theirs. */
  trustedHops: number;
}

const BEYOND = refusal('TOO_MANY_CONNECTIONS', { retryAfter: 5 });

/**
 * Limits the connections of an address: excess ones get a 429 and are closed; above twice the limit they are
 * closed without a response. Behind our own proxies it limits a client's concurrent requests; a response sent
 * before its handler returns (a cached page) does not count.
 */
export function watchAddresses({ perAddress, trustedHops }: AddressBounds) {
  const counts = new Map<string, number>();
  const full = new Set<string>();
  const beyond = new Map<Socket, string>();

  function add(key: string, remove: (done: () => void) => unknown): number {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count >= perAddress) full.add(key);
    remove(() => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left < perAddress) full.delete(key);
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    });
    return count;
  }
  const clientOf = (request: IncomingMessage) => addressKey(clientAddress(request, trustedHops));
  const isBeyond = (request: IncomingMessage) => {
    if (trustedHops > 0) return full.size > 0 && full.has(clientOf(request));
    if (beyond.size === 0) return false;
    const key = beyond.get(request.socket);
    return key !== undefined && (counts.get(key) ?? 0) > perAddress;
  };

  return {
    accept(socket: Socket): boolean {
      if (trustedHops > 0) return true;
      const key = addressKey(socket.remoteAddress ?? '');
      const count = add(key, (done) => socket.once('close', done));
      if (count > 2 * perAddress) {
        socket.destroy();
        return false;
      }
      if (count > perAddress) {
        beyond.set(socket, key);
        socket.once('close', () => beyond.delete(socket));
      }
      return true;
    },
    refuseBeyond(request: IncomingMessage, response: HttpResponse, next: () => void): void {
      if (isBeyond(request)) return refusePlainly(request, response, BEYOND);
      next();
      if (trustedHops > 0 && !response.writableEnded)
        add(clientOf(request), (done) => response.once('close', done));
    },
    admitLive(request: IncomingMessage): boolean {
      const { socket } = request;
      if (isBeyond(request)) {
        socket.end(rawAnswer(BEYOND));
        return false;
      }
      if (trustedHops > 0) add(clientOf(request), (done) => socket.once('close', done));
      return true;
    },
  };
}
