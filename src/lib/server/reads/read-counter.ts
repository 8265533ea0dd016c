import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { clientAddress, networksOf } from '../http/address.ts';
import type { HttpHandler } from '../http/http-handler.ts';
import { calendarOf } from '../shared/days.ts';
import { createJob } from '../jobs/jobs.ts';
import { addReads, authorsOf, type DayReads } from './read-queries.ts';
import type { AppParts } from '../services.ts';
import { hash, randomBytes } from 'node:crypto';
import { idsIn } from '../shared/ids.ts';

/** A killed process loses the counts since its last flush. */
const FLUSH_INTERVAL_MS = 10_000;
/** Maximum entries in `counts` between two flushes; further reads are not counted. */
const MAX_COUNTS = 20_000;
/** A longer User-Agent does not belong to a browser. */
const MAX_USER_AGENT_CHARACTERS = 1_000;
/** Articles per transaction: who saves one of them waits for it. */
const ARTICLE_BATCH_SIZE = 200;

/** Captures the id or the slug of an article. */
const ARTICLE = /^\/(?:detail\/([0-9a-f]{24})(?:[/?]|$)|a\/([^/?]+)(?:\?|$))/;
const USER = /(?:^|;\s*)user=([^;]*)/;

export type ReadCounter = ReturnType<typeof createReadCounter>;

interface Parts extends Pick<AppParts, 'db' | 'timeZone' | 'log' | 'now'> {
  trustedHops: number;
}

/**
 * Counts how often articles are read. Counts are held in memory and written every ten seconds and on
 * shutdown. A read is the first page of an article that a client receives on a day, unless the client is a
 * known bot or the author. Nothing is stored about readers (decision 0069).
 */
export function createReadCounter({ db, timeZone, log, trustedHops, now }: Parts) {
  const { dayOf, monthOf, startOfMonth } = calendarOf(timeZone);
  const monthStart = (instant: number) => {
    const { year, month } = monthOf(instant);
    return startOfMonth(year, month);
  };
  /** isbot takes 4 µs, serving a cached page 20 µs; few distinct browsers send most requests. */
  const bots = new LRUCache<string, boolean>({ max: 1_000 });
  /** Keyed by day, article and name of the signed-in viewer: only the database knows the author. */
  let counts = new Map<string, number>();
  const seen = createSeenReaders();
  /** Last read of each connection. Looking up a reader takes a third of the time of a cached page. */
  const lastReads = new WeakMap<Socket, { url: string; userAgent: string; dayEnd: number }>();

  /** Returns whether a request repeats the previous read on its connection, which is already counted. */
  function isRepeat({ socket, url, headers }: IncomingMessage): boolean {
    const last = lastReads.get(socket);
    if (last === undefined || last.url !== url) return false;
    return last.userAgent === headers['user-agent'] && now() < last.dayEnd;
  }

  function note(article: string, request: IncomingMessage): void {
    const { start: day, end: dayEnd } = dayOf(now());
    seen.turnTo(day);
    const { url = '', headers } = request;
    const userAgent = headers['user-agent'] ?? '';
    // A proxy's connection carries requests of many clients.
    if (trustedHops === 0) lastReads.set(request.socket, { url, userAgent, dayEnd });
    if (!seen.isFirst(article, clientAddress(request, trustedHops), userAgent)) return;
    const name = USER.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const key = `${day} ${article} ${name.slice(0, 200)}`;
    const count = counts.get(key);
    if (count === undefined && counts.size >= MAX_COUNTS) return;
    counts.set(key, (count ?? 0) + 1);
  }

  function isBot(userAgent: string): boolean {
    if (userAgent.length > MAX_USER_AGENT_CHARACTERS) return true;
    const known = bots.get(userAgent);
    if (known !== undefined) return known;
    const found = isbot(userAgent);
    bots.set(userAgent, found);
    return found;
  }

  async function write(): Promise<void> {
    seen.turnTo(dayOf(now()).start);
    if (counts.size === 0) return;
    const taken = counts;
    counts = new Map();
    const entries = [...taken].map(([key, reads]) => {
      const [day = '', article = '', name = ''] = key.split(' ');
      return { key, day: Number(day), id: decodeURIComponent(article), name, reads };
    });
    const ids = [...new Set(idsIn(entries))];
    for (let at = 0; at < ids.length; at += ARTICLE_BATCH_SIZE) {
      const part = new Set(ids.slice(at, at + ARTICLE_BATCH_SIZE));
      const own = entries.filter(({ id }) => part.has(id));
      try {
        const authors = await authorsOf(db.read, [...part]);
        const sums = new Map<string, DayReads>();
        for (const { id, day, name, reads } of own) {
          const article = authors.get(id);
          if (article === undefined || encodeURIComponent(article.username) === name) continue;
          const key = `${day} ${article.id}`;
          const sum = sums.get(key) ?? { article_id: article.id, day, month: monthStart(day), reads: 0 };
          sums.set(key, { ...sum, reads: sum.reads + reads });
        }
        if (sums.size > 0) await db.writeAside((trx) => addReads(trx, [...sums.values()]));
      } catch (error) {
        log.warn({ err: error }, 'writing reads failed, will retry');
        for (const { key, reads } of own)
          if (counts.size < MAX_COUNTS) counts.set(key, (counts.get(key) ?? 0) + reads);
      }
    }
  }
  const job = createJob(write, {
    everyMs: FLUSH_INTERVAL_MS,
    failed: (error) => log.warn({ err: error }, 'writing reads failed'),
  });

  return {
    handler: ((request, response, next) => {
      const { method, url = '', headers } = request;
      const userAgent = headers['user-agent'] ?? '';
      if (method !== 'GET' || userAgent === '' || !/^\/(?:detail|a)\//.test(url)) return next();
      if (isRepeat(request) || isBot(userAgent) || isAhead(request)) return next();
      const [, id, slug] = ARTICLE.exec(url) ?? [];
      const article = id ?? slug;
      if (article === undefined) return next();
      response.on('close', () => {
        if (response.statusCode === 200 && response.writableFinished) note(article, request);
      });
      next();
    }) satisfies HttpHandler,
    flush: job.run,
    start: job.start,
    async stop(): Promise<void> {
      await job.stop();
      await job.run();
    },
  };
}

/** Headers that browsers send when they prefetch or prerender a page. */
const AHEAD_FIELDS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

const isAhead = ({ headers }: IncomingMessage): boolean =>
  AHEAD_FIELDS.some(
    (name) => headers[name] !== undefined && /prefetch|prerender|preview/i.test(String(headers[name])),
  );

/** Maximum counted reads of an article per address and day: clients can forge their User-Agent. */
const MAX_READS_PER_ADDRESS = 10;
/** Bits for clients, and counters for addresses: 1 MiB each, whatever the traffic. */
const BITS = 2 ** 23;
const COUNTERS = 2 ** 20;
/** After 500,000 reads in a day 0.2 % of new readers count as repeated, after a million 2 %. */
const PROBES = 4;

/**
 * Detects a client's first read of an article on a day. Memory holds salted bits and counters, no list of
 * clients; all are replaced each day. A collision counts as a repeated read, so the count may be too low,
 * never too high.
 */
function createSeenReaders() {
  let day = NaN;
  let salt = '';
  let clients = new Uint8Array(0);
  let addresses = new Uint8Array(0);

  const probesOf = (key: string): readonly number[] => {
    const digest = hash('sha256', salt + key, 'buffer');
    return Array.from({ length: PROBES }, (_, index) => digest.readUInt32LE(4 * index));
  };

  function addClient(key: string): boolean {
    let isNew = false;
    for (const probe of probesOf(key)) {
      const [at, bit] = [(probe % BITS) >> 3, 1 << (probe & 7)];
      if (((clients[at] ?? 0) & bit) === 0) isNew = true;
      clients[at] = (clients[at] ?? 0) | bit;
    }
    return isNew;
  }

  /** Counts a read from an address; false if the address has reached `max`. */
  function addRead(key: string, max: number): boolean {
    const places = probesOf(key).map((probe) => probe % COUNTERS);
    if (Math.min(...places.map((place) => addresses[place] ?? 0)) >= max) return false;
    for (const place of places) addresses[place] = Math.min(255, (addresses[place] ?? 0) + 1);
    return true;
  }

  return {
    /** Discards all readers, unless the current day already began at `start`. */
    turnTo(start: number): void {
      if (start === day) return;
      day = start;
      salt = randomBytes(32).toString('latin1');
      clients = new Uint8Array(BITS / 8);
      addresses = new Uint8Array(COUNTERS);
    },
    /**
     * Records a read; false if the client has read the article today, or its address has reached its limit.
     */
    isFirst(article: string, address: string, userAgent: string): boolean {
      const networks = networksOf(address);
      if (!addClient(`${article} ${networks[0].key} ${userAgent}`)) return false;
      return networks.every(({ key, share }) => addRead(`${article} ${key}`, MAX_READS_PER_ADDRESS * share));
    },
  };
}
