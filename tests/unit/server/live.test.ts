import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { BlogEvent } from '../../../src/lib/server/db/events.ts';
import { attachLive } from '../../../src/lib/server/live/live.ts';
import { fakes } from '../../fakes.ts';

const ARTICLE = 'a'.repeat(24);
const viewer = { id: 'reader', username: '读者', signinId: 's', origin: '' };
const nothing = (): undefined => undefined;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A live server; the test decides whether the reader may see an article. */
async function open() {
  const answers: ((isVisible: boolean) => void)[] = [];
  let emit: (event: BlogEvent) => void = nothing;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const live = attachLive(server, {
    ...fakes({
      auth: { viewerOf: async () => ({ viewer, expired: false, signinId: 's' }), endedAmong: async () => [] },
      comments: {
        countUnreadOf: async (ids) => new Map(ids.map((id) => [id, 7])),
        isVisible: () => new Promise((resolve) => answers.push(resolve)),
        unreadRecipients: async () => [],
      },
      notifications: { countUnreadOf: async (ids) => new Map(ids.map((id) => [id, 3])) },
      waiting: { countsFor: async () => new Map() },
      events: { listen: (listener) => ((emit = (event) => listener(event, true)), nothing) },
      log: { info: nothing, error: nothing },
    }),
    origins: [],
    mayConnect: () => true,
  });
  ends.push(() => new Promise((resolve) => server.close(resolve)), live.close);
  const { port } = server.address() as AddressInfo;
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], query: { token: 't' } });
  ends.push(() => socket.disconnect());
  const told: string[] = [];
  let counts = 0;
  socket.on('article-comments', (id: string) => told.push(id));
  socket.on('unread-comment', () => counts++);
  const received: string[] = [];
  socket.onAny((event: string) => received.push(event));
  await eventually(() => expect(counts).toBe(1));
  const ended = new Promise<string>((resolve) => socket.once('disconnect', resolve));
  return {
    told,
    /** Names of all events that the socket has received since it was opened. */
    received,
    socket,
    notify: () => emit({ type: 'notifications-changed', userIds: [viewer.id] }),
    /** Resolves to the reason why the socket was closed. */
    ended,
    signOut: () => emit({ type: 'signed-out', signinId: viewer.signinId }),
    stop: live.close,
    hide: () =>
      emit({
        type: 'article-changed',
        articleId: ARTICLE,
        authorId: 'author',
        change: null,
        audience: 'others',
      }),
    comment: () =>
      emit({ type: 'comments-changed', articleId: ARTICLE, authorId: 'author', recipientIds: [] }),
    /** Asks to watch the article; resolves once the server checks whether the reader may. */
    async ask(): Promise<(isVisible: boolean) => void> {
      socket.emit('watch-article', ARTICLE);
      return eventually(() => {
        const answer = answers.shift();
        if (!answer) throw new Error('not asked');
        return answer;
      });
    },
    /** Resolves once the socket has received everything sent so far. */
    async arrived(): Promise<void> {
      const before = counts;
      emit({ type: 'comments-read', userId: viewer.id });
      await eventually(() => expect(counts).toBeGreaterThan(before));
    },
  };
}

test('a viewer who may not see an article gets no events of it, not even during the lookup', async () => {
  const live = await open();
  const answer = await live.ask();
  live.comment();
  answer(false);
  await live.arrived();
  live.comment();
  await live.arrived();
  expect(live.told).toEqual([]);
});

test('a viewer who may see it gets events from during the lookup, once', async () => {
  const live = await open();
  const answer = await live.ask();
  live.comment();
  live.comment();
  await live.arrived();
  expect(live.told).toEqual([]);
  answer(true);
  await live.arrived();
  expect(live.told).toEqual([ARTICLE]);
  live.comment();
  await live.arrived();
  expect(live.told).toEqual([ARTICLE, ARTICLE]);
});

test('an article hidden during the lookup sends no events', async () => {
  const live = await open();
  const answer = await live.ask();
  live.comment();
  live.hide();
  answer(true);
  await live.arrived();
  live.comment();
  await live.arrived();
  expect(live.told).toEqual([]);
});

test('clients may come back after a restart of the server, not after signing out', async () => {
  const [restarted, signedOut] = [await open(), await open()];
  restarted.stop();
  signedOut.signOut();
  // socket.io-client reconnects after the first reason only.
  expect(await restarted.ended).toBe('transport close');
  expect(await signedOut.ended).toBe('io server disconnect');
});

test('only clients that ask for it receive the count of notifications', async () => {
  const live = await open();
  live.notify();
  await live.arrived();
  expect(new Set(live.received)).toEqual(new Set(['unread-comment']));
  live.socket.emit('watch-notifications');
  await eventually(() => expect(live.received).toContain('notification-count'));
  const sent = () => live.received.filter((event) => event === 'notification-count').length;
  const before = sent();
  live.notify();
  await eventually(() => expect(sent()).toBe(before + 1));
});
