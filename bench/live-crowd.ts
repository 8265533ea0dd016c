import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asStored } from '../tests/clean-texts.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { createApp, type App } from '../src/lib/server/app.ts';
import { createTokens } from '../src/lib/server/auth/tokens.ts';
import { createUnreadCounts } from '../src/lib/server/live/unread-counts.ts';
import { HOUR_MS } from '../src/lib/contract/rules/units.ts';
import { ask, timed } from './client.ts';
import { freePort, memoryOf, serveProduct, type Served } from './processes.ts';
import { connectRaw, reconnectRaw, type RawSocket } from './raw-socket.ts';
import { userRow } from './site/people.ts';
import { openSite } from './site/site.ts';
import { figureOf, quantile, type Row } from './stats.ts';

const SOCKETS = 10_000;
const ARTICLES = 1_000;
/** Sockets opened at the same time at first. */
const CONNECTING = 50;
/** Every n-th reader has the article open on which the comments are written. */
const WATCHING = 10;
const COMMENTS = 200;
const COMMENT_GAP_MS = 50;
const SETTLE_MS = 3_000;
const PAGE_GAP_MS = 100;
const UNREAD = 'unread-comment';

interface Reader {
  id: string;
  username: string;
  token: string;
}

/** 10,000 live sockets of as many readers on one server: delay, memory, a restart, and all counts at once. */
export async function benchCrowd(data: string, corpus: string): Promise<Row[]> {
  const site = await openSite({ engine: 'sqlite', articles: ARTICLES, data, corpus });
  if (!site) return [];
  const folder = join(data, 'crowd');
  rmSync(folder, { recursive: true, force: true });
  cpSync(site.folder, folder, { recursive: true });
  const port = String(await freePort());
  let server: Served | undefined;
  let sockets: RawSocket[] = [];
  try {
    const { readers, rows } = await addReaders(folder);
    const start = () => serveProduct(folder, { PORT: port, QUOTAS: 'off' });
    server = await start();
    const before = await settledMemory(server);
    sockets = await connectAll(server, readers);
    const perSocket = ((await settledMemory(server)) - before) / SOCKETS;
    rows.push(
      {
        what: 'memory of a live socket',
        ...figureOf([perSocket * 1000]),
        unit: 'KB',
        goal: { atMost: 30 },
        note: `${SOCKETS} sockets of as many readers`,
      },
      ...(await dots(server, readers, sockets)),
    );
    const restarted = await restart(server, readers, sockets, start);
    server = restarted.server;
    sockets = restarted.sockets;
    return [...rows, ...restarted.rows];
  } finally {
    for (const socket of sockets) socket.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds accounts that are signed in, and measures the counts of all of them. */
async function addReaders(folder: string): Promise<{ readers: Reader[]; rows: Row[] }> {
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  const app = await createApp(config);
  try {
    const tokens = createTokens({ secret: config.tokenSecret, accessTtl: 86_400, refreshTtl: 86_400 });
    const readers: Reader[] = [];
    const now = Date.now();
    const first = 1_000_000;
    for (let from = 0; from < SOCKETS; from += 500) {
      const users = Array.from({ length: 500 }, (_, index) =>
        userRow(first + from + index, { authors: 0 }, ''),
      );
      await app.db.write(async (trx) => {
        await trx.insertInto('users').values(users.map(asStored)).execute();
        const signins = users.map(({ id }) => ({
          id: `signin-${id}`,
          user_id: id,
          create_time: now,
          expire_time: now + 24 * HOUR_MS,
        }));
        await trx
          .insertInto('signins')
          .values(signins.map((signin) => ({ ...signin, client: '', last_used: now })))
          .execute();
      });
      for (const { id, username } of users) {
        const token = await tokens.signAccess({ userId: id, username, signinId: `signin-${id}` });
        readers.push({ id, username, token });
      }
    }
    await giveUnread(app, readers);
    return { readers, rows: await countsOfAll(app, readers) };
  } finally {
    await app.close();
  }
}

/** Makes ten comments unread for each reader. */
async function giveUnread({ db }: App, readers: readonly Reader[]): Promise<void> {
  const comments = await db.read
    .selectFrom('comments')
    .select(['id', 'create_time'])
    .orderBy('id')
    .limit(10)
    .execute();
  for (let from = 0; from < readers.length; from += 500)
    await db.write(async (trx) => {
      const rows = readers.slice(from, from + 500).flatMap(({ id: user_id }) =>
        comments.map(({ id: comment_id, create_time }) => ({
          user_id,
          comment_id,
          create_time,
          is_read: 0 as const,
        })),
      );
      for (let at = 0; at < rows.length; at += 1000)
        await trx
          .insertInto('comment_recipients')
          .values(rows.slice(at, at + 1000))
          .execute();
    });
}

async function countsOfAll({ services }: App, readers: readonly Reader[]): Promise<Row[]> {
  const started = performance.now();
  await new Promise<void>((resolve, reject) => {
    let left = readers.length;
    const counts = createUnreadCounts({
      countUnread: services.comments.countUnreadOf,
      send: () => --left === 0 && resolve(),
      failed: reject,
    });
    for (const { id } of readers) counts.ask(id);
  });
  const together = performance.now() - started;
  for (const viewer of readers) await services.comments.countUnread(viewer);
  const single = performance.now() - started - together;
  return [
    {
      what: `unread counts of ${SOCKETS} readers at once`,
      ...figureOf([together]),
      unit: 'ms',
      goal: { atMost: 2_000 },
      note: `one after another: ${Math.round(single)} ms`,
    },
  ];
}

async function settledMemory(server: Served): Promise<number> {
  await delay(SETTLE_MS);
  return memoryOf(server);
}

async function connectAll({ url }: Served, readers: readonly Reader[]): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  for (let from = 0; from < readers.length; from += CONNECTING) {
    const some = readers.slice(from, from + CONNECTING);
    sockets.push(
      ...(await Promise.all(some.map(({ token }, index) => connectRaw(url, token, from + index)))),
    );
  }
  return sockets;
}

/** Comments of one reader on an article of another, which a tenth of all readers have open. */
async function dots(
  server: Served,
  readers: readonly Reader[],
  sockets: readonly RawSocket[],
): Promise<Row[]> {
  const [author, writer] = readers;
  const [socket] = sockets;
  if (!author || !writer || !socket) throw new Error('no readers');
  const fields = {
    title: '很多人在读',
    content: '正文',
    status: 'normal',
    secret: 'false',
    'tags[0]': '标签1',
  };
  const { id } = await ask<{ id: string }>(server, '/api/page/new', fields, author.token);
  for (const [index, each] of sockets.entries()) if (index % WATCHING === 0) each.emit('watch-article', id);
  await delay(SETTLE_MS);
  const times: number[] = [];
  for (let index = 0; index < COMMENTS; index++) {
    const dot = new Promise((resolve) => (socket.onEvent = (name) => name === UNREAD && resolve(name)));
    const started = performance.now();
    const sent = ask(server, '/api/comment/create', { page_id: id, content: `第 ${index} 条` }, writer.token);
    await dot;
    times.push(performance.now() - started);
    await sent;
    await delay(COMMENT_GAP_MS);
  }
  return [0.5, 0.99].map((q) => ({
    what: `comment sent → red dot, ${SOCKETS} sockets, p${q * 100}`,
    ...figureOf(times),
    ratio: quantile(times, q),
    unit: 'ms',
    ...(q === 0.99 && { goal: { atMost: 200 } }),
    note: `${SOCKETS / WATCHING} of them have the article open`,
  }));
}

/** Restarts the server; all sockets come back by themselves while a visitor reads pages. */
async function restart(
  server: Served,
  readers: readonly Reader[],
  sockets: readonly RawSocket[],
  start: () => Promise<Served>,
): Promise<{ server: Served; sockets: RawSocket[]; rows: Row[] }> {
  const closed = Promise.all(sockets.map((socket) => socket.closed));
  await server.stop();
  await closed;
  const lost = performance.now();
  const back: number[] = [];
  const returning = Promise.all(
    readers.map(async ({ token }, index) => {
      const socket = await reconnectRaw(server.url, token, index);
      back.push((performance.now() - lost) / 1000);
      return socket;
    }),
  );
  const started = await start();
  const pages: number[] = [];
  let isBack = false;
  const reading = (async () => {
    for (;;) {
      if (isBack) return;
      pages.push(await timed(`${started.url}/home`));
      await delay(PAGE_GAP_MS);
    }
  })();
  const again = await returning;
  isBack = true;
  await reading;
  const perSecond = new Map<number, number>();
  for (const second of back.map(Math.floor)) perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  return {
    server: started,
    sockets: again,
    rows: [
      {
        what: `server stopped → all ${SOCKETS} sockets open again`,
        ...figureOf([Math.max(...back)]),
        unit: 's',
        note: `at most ${Math.max(...perSecond.values())} in a second`,
      },
      {
        what: 'page read while they come back, p99',
        ...figureOf(pages),
        ratio: quantile(pages, 0.99),
        unit: 'ms',
      },
    ],
  };
}
