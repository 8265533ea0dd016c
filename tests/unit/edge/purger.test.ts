import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createPurger } from '../../../src/lib/server/cache/purger.ts';
import { createLog } from '../../../src/lib/server/shared/log.ts';
import { isSigned, MAX_PURGE_BYTES } from '../../../src/lib/shared/purge-signature.ts';

const SECRET = 's'.repeat(40);
const PACE = { gather: 5, retry: 5, longest: 20 };
let received: { tags: string[]; isSigned: boolean; bytes: number }[];
let status: number;
let maxBytes: number;
let onReceive: () => void;
let front: { url: string; close(): void };

beforeEach(async () => {
  received = [];
  status = 204;
  maxBytes = MAX_PURGE_BYTES;
  onReceive = () => {};
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const headers = new Headers(request.headers as Record<string, string>);
    const { tags } = JSON.parse(body) as { tags: string[] };
    onReceive();
    const bytes = Buffer.byteLength(body);
    received.push({ tags, isSigned: await isSigned(SECRET, { headers, body, now: Date.now() }), bytes });
    response.writeHead(bytes > maxBytes ? 413 : status).end();
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

/** Names of 20 characters, each of which is nine in a tag. */
const longTags = (count: number) =>
  Array.from({ length: count }, (_, index) => `tag:${encodeURIComponent('题'.repeat(20))}${1000 + index}`);

test('tags that exceed the body of one purge are sent in several, each signed', async () => {
  const purger = open(front.url);
  const tags = longTags(400);
  purger.purge(tags);
  await eventually(() => expect(purgedTags()).toEqual(tags));
  expect(received.length).toBeGreaterThan(1);
  expect(received.every(({ bytes }) => bytes <= MAX_PURGE_BYTES)).toBe(true);
  expect(received.every((each) => each.isSigned)).toBe(true);
  await purger.close();
});

test('an edge server whose limit is lower has everything purged, and later changes', async () => {
  maxBytes = 10_000;
  const purger = open(front.url);
  purger.purge(longTags(400));
  await eventually(() => expect(received.at(-1)?.tags).toEqual(['site']));
  expect(received).toHaveLength(2);
  purger.purge(['article:1']);
  await eventually(() => expect(received.at(-1)?.tags).toEqual(['article:1']));
  expect(received).toHaveLength(3);
  await purger.close();
});

test('a failure in the middle repeats only what was not delivered', async () => {
  const purger = open(front.url);
  const tags = longTags(400);
  let isFirst = true;
  onReceive = () => {
    status = isFirst ? 204 : 502;
    isFirst = false;
  };
  purger.purge(tags);
  await eventually(() => expect(received.length).toBeGreaterThan(2));
  onReceive = () => {};
  status = 204;
  const before = received.length;
  await eventually(() => expect(received.length).toBeGreaterThan(before));
  const [first, ...later] = received;
  expect(later.flatMap((each) => each.tags).some((tag) => first?.tags.includes(tag))).toBe(false);
  await purger.close();
  expect(new Set(purgedTags())).toEqual(new Set(tags));
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
