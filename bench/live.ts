import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { articleIds, ask, signIn } from './client.ts';
import { benchCrowd } from './live-crowd.ts';
import { memoryOf, serveProduct, type Served } from './processes.ts';
import { author, AUTHORS, seeded } from './seed.ts';
import { quantile, ratioOf, type Row } from './stats.ts';

const SOCKETS = 200;
const COMMENTS = 60;
const ROUNDS = 5;
const SETTLE_MS = 2_000;
const UNREAD = 'unread-comment';

/**
 * A server with signed-in authors; `tokens` are theirs by number. The first author writes the comments and
 * the second is notified.
 */
interface Stage {
  server: Served;
  tokens: string[];
  articleId: string;
}

/** Milliseconds from sending a comment until its response, and until the recipient's last unread badge. */
interface Times {
  acknowledged: number[];
  told: number[];
}

/**
 * Section `live`: the time from a comment to the recipient's unread badge, with one socket and with 200, and
 * the memory that the sockets use; then 10,000 sockets (`live:crowd` alone).
 */
export async function benchLive(data: string, corpus: string, part?: string): Promise<Row[]> {
  const rows = part === 'crowd' ? [] : await benchFew(data, corpus);
  return [...rows, ...(await benchCrowd(data, corpus))];
}

async function benchFew(data: string, corpus: string): Promise<Row[]> {
  const folder = join(data, 'live');
  rmSync(folder, { recursive: true, force: true });
  cpSync(await seeded('few', data, corpus), folder, { recursive: true });
  const server = await serveProduct(folder);
  const sockets: Socket[] = [];
  try {
    const stage = await setStage(server);
    const [one, all]: [Times[], Times[]] = [[], []];
    const memory = { idle: [] as number[], busy: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      sockets.push(await connect(server, stage.tokens[1]));
      const few = await commentTimes(stage, sockets);
      await delay(round === 0 ? 0 : SETTLE_MS);
      const idle = memoryOf(server);
      while (sockets.length < SOCKETS) {
        // A tenth of the sockets are devices of the recipient.
        const owner = sockets.length % 10 === 0 ? 1 : 2 + (sockets.length % (AUTHORS - 2));
        sockets.push(await connect(server, stage.tokens[owner]));
      }
      const busy = memoryOf(server);
      const many = await commentTimes(
        stage,
        sockets.filter((_, index) => index % 10 === 0),
      );
      for (const socket of sockets.splice(0)) socket.disconnect();
      if (round === 0) continue;
      one.push(few);
      all.push(many);
      memory.idle.push(idle);
      memory.busy.push(busy);
    }
    return report(one, all, memory);
  } finally {
    for (const socket of sockets) socket.disconnect();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(one: Times[], all: Times[], memory: { idle: number[]; busy: number[] }): Row[] {
  const at = (rounds: Times[], of: keyof Times, q = 0.5) => rounds.map((times) => quantile(times[of], q));
  const sent = 'comment sent → red dot';
  return [
    {
      what: `${sent} / comment sent → acknowledged, 1 socket, p50`,
      ...ratioOf(at(one, 'told'), at(one, 'acknowledged')),
    },
    {
      what: `${sent} / comment sent → acknowledged, ${SOCKETS} sockets, p50`,
      ...ratioOf(at(all, 'told'), at(all, 'acknowledged')),
      note: `the last of the addressee's ${SOCKETS / 10} sockets`,
    },
    { what: `${sent}: p50 with ${SOCKETS} sockets / with 1`, ...ratioOf(at(all, 'told'), at(one, 'told')) },
    {
      what: `${sent}: p99 with ${SOCKETS} sockets / with 1`,
      ...ratioOf(at(all, 'told', 0.99), at(one, 'told', 0.99)),
    },
    {
      what: `memory with ${SOCKETS} sockets / with 1`,
      ...ratioOf(memory.busy, memory.idle),
    },
  ];
}

async function setStage(server: Served): Promise<Stage> {
  const tokens: string[] = [];
  for (let index = 0; index < AUTHORS; index++) {
    const { username, password } = author(index);
    tokens.push(await signIn(server, username, password));
  }
  const [first = ''] = await articleIds(server);
  const { username } = author(1);
  const own = { type: 'create_user', content: username, pageSize: '1' };
  const { result } = await ask<{ result: { _id: string }[] }>(server, '/api/page/pagelist', own);
  return { server, tokens, articleId: result[0]?._id ?? first };
}

async function connect(server: Served, token = ''): Promise<Socket> {
  const socket = io(server.url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    query: { token },
  });
  await next(socket, UNREAD);
  return socket;
}

function next(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('connect_error', reject);
  });
}

/** Sends comments one after another; each is complete when all `sockets` of the recipient were notified. */
async function commentTimes(
  { server, tokens, articleId }: Stage,
  sockets: readonly Socket[],
): Promise<Times> {
  const times: Times = { acknowledged: [], told: [] };
  const since = async (started: number, done: Promise<unknown>): Promise<number> => {
    await done;
    return performance.now() - started;
  };
  for (let index = 0; index < COMMENTS; index++) {
    const dots = Promise.all(sockets.map((socket) => next(socket, UNREAD)));
    const started = performance.now();
    const fields = { page_id: articleId, content: `第 ${index} 条评论` };
    const [told, acknowledged] = await Promise.all([
      since(started, dots),
      since(started, ask(server, '/api/comment/create', fields, tokens[0])),
    ]);
    times.told.push(told);
    times.acknowledged.push(acknowledged);
  }
  return times;
}
