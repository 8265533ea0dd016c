import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createPurger } from '../../../src/lib/server/cache/purger.ts';
import { createLog } from '../../../src/lib/server/shared/log.ts';
import { isSigned } from '../../../src/lib/shared/purge-signature.ts';

const SECRET = 's'.repeat(40);
const PACE = { gather: 5, retry: 5, longest: 20 };
let received: { tags: string[]; isSigned: boolean }[];
let status: number;
let front: { url: string; close(): void };

beforeEach(async () => {
  received = [];
  status = 204;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const headers = new Headers(request.headers as Record<string, string>);
    const { tags } = JSON.parse(body) as { tags: string[] };
    received.push({ tags, isSigned: await isSigned(SECRET, { headers, body, now: Date.now() }) });
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  front = { url, close: () => (server.closeAllConnections(), server.close()) };
});
afterEach(() => front.close());

const open = (...fronts: string[]) =>
  createPurger({ fronts, secret: SECRET, log: createLog('silent'), pace: PACE });
const purgedTags = () => received.flatMap(({ tags }) => tags).sort();

test('changes are batched, deduplicated and signed', async () => {
  const purger = open(front.url);
  purger.purge(['lists', 'card:1']);
  purger.purge(['lists', 'tags']);
  await eventually(() => expect(purgedTags()).toEqual(['card:1', 'lists', 'tags']));
  expect(received.map((each) => each.isSigned)).toEqual([true]);
  await purger.close();
});

test('a failed edge server is retried, with changes made meanwhile', async () => {
  status = 502;
  const purger = open(front.url);
  purger.purge(['a']);
  await eventually(() => expect(received.length).toBeGreaterThan(1));
  purger.purge(['b']);
  await eventually(() => expect(received.at(-1)?.tags.toSorted()).toEqual(['a', 'b']));
  status = 204;
  await eventually(() => expect(received.at(-1)?.tags.toSorted()).toEqual(['a', 'b']));
  await purger.close();
});

test('one unreachable edge server does not delay another', async () => {
  const purger = open('http://127.0.0.1:1', front.url);
  purger.purge(['a']);
  await eventually(() => expect(purgedTags()).toEqual(['a']));
  await purger.close();
});

test('too many changes purge everything', async () => {
  const purger = open(front.url);
  purger.purge(Array.from({ length: 501 }, (_, index) => `card:${index}`));
  await eventually(() => expect(purgedTags()).toEqual(['site']));
  await purger.close();
});

test('pending changes are sent on close', async () => {
  const purger = createPurger({
    fronts: [front.url],
    secret: SECRET,
    log: createLog('silent'),
    pace: { gather: 60_000, retry: 60_000, longest: 60_000 },
  });
  purger.purge(['last']);
  await purger.close();
  expect(purgedTags()).toEqual(['last']);
});
