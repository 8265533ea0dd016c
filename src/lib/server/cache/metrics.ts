import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { NoticeNumbers, Notices, Replica } from '../db/database.ts';
import type { Overdue } from '../doctor/overdue.ts';
import type { RequestLog } from '../http/request-log.ts';
import { measureDisk } from '../storage/disk-reserve.ts';
import type { CacheNumbers } from './page-cache.ts';

const COUNTERS: [name: keyof CacheNumbers, help: string][] = [
  ['hits', 'Responses served from the page cache'],
  ['misses', 'Requests for pages that were not cached'],
  ['renders', 'Pages rendered for the cache'],
  ['refreshes', 'Renders of pages in advance, after a write had invalidated them'],
  ['evictions', 'Pages evicted because the cache was full'],
  ['invalidations', 'Writes that invalidated pages'],
  ['overtaken', 'Renders discarded because a write invalidated the page meanwhile'],
];
const GAUGES: [name: keyof CacheNumbers, help: string][] = [
  ['entries', 'Cached pages'],
  ['bytes', 'Size of the cached pages in bytes'],
];

const NOTICE_COUNTERS: [name: keyof NoticeNumbers, help: string][] = [
  ['sent', 'Notifications sent to other processes'],
  ['received', 'Notifications received from other processes'],
  ['losses', 'Lost connections for receiving notifications'],
];
const LAG_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LANES = ['mail', 'webhook', 'own'];
const named = (name: string) => `moye_${name}`;

interface Parts {
  /** Null when it is off. */
  cache: { numbers(): CacheNumbers } | null;
  /** Notices of other processes; undefined on an engine of one process. */
  notices: Notices | undefined;
  replica: Replica | undefined;
  backups: { age(): Promise<number> };
  room: { limit: number | null; measure(): Promise<{ bytes: number }> };
  overdue: Pick<Overdue, 'countSchedules' | 'countDeliveries'>;
  requests: Pick<RequestLog, 'observe'>;
  /** Folders on the disk of this machine. */
  folders: readonly string[];
  outbox: { countUnsent(): Promise<readonly { lane: string; state: string; total: number }[]> };
  takedowns: { countHeld(): Promise<number> };
  reports: { countOpen(): Promise<number> };
}

/**
 * Serves GET /metrics in Prometheus' text format: page cache numbers and prom-client's process metrics.
 * @param access `loopback`: only for requests that `isWatcher` accepts
 */
export function serveMetrics(
  access: Config['metrics'],
  isWatcher: (request: IncomingMessage) => boolean,
  parts: Parts,
) {
  let opening: Promise<Registry> | undefined;
  const answer = async (response: ServerResponse): Promise<void> => {
    // Opened on first use, so nothing is measured until it is read.
    const register = await (opening ??= openMetrics(parts));
    const body = await register.metrics();
    const headers = { 'Content-Type': register.contentType, 'Cache-Control': 'no-store' };
    response.writeHead(200, headers).end(body);
  };
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (request.url !== '/metrics' || access === 'off') return next();
    if (access === 'loopback' && !isWatcher(request)) return next();
    answer(response).catch(() => response.writeHead(500).end());
  };
}

async function openMetrics(parts: Parts): Promise<Registry> {
  const { cache, notices, replica, backups, room, overdue } = parts;
  const { requests, folders, outbox, takedowns, reports } = parts;
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const count = (name: string, help: string, value: () => number) =>
    new Counter({
      name: named(`${name}_total`),
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new Gauge({
      name: named(name),
      help,
      registers,
      async collect() {
        // NaN while storage is unavailable: the other numbers still matter then.
        this.set(await Promise.try(value).catch(() => NaN));
      },
    });
  /** A gauge with a number for each value of a label. */
  const gauges = (
    name: string,
    help: string,
    label: string,
    values: () => Promise<Iterable<readonly [value: string, number]>>,
  ) =>
    new Gauge({
      name: named(name),
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset();
        for (const [value, number] of await values()) this.set({ [label]: value }, number);
      },
    });
  if (cache) {
    for (const [name, help] of COUNTERS) count(`page_cache_${name}`, help, () => cache.numbers()[name]);
    for (const [name, help] of GAUGES) gauge(`page_cache_${name}`, help, () => cache.numbers()[name]);
  }
  if (notices) {
    for (const [name, help] of NOTICE_COUNTERS) count(`notices_${name}`, help, () => notices.numbers()[name]);
    gauge('notices_current', 'Whether notifications from other processes are being received: 0 or 1', () =>
      Number(notices.isCurrent()),
    );
    const help = 'Time from COMMIT to receiving its notification in seconds';
    const lag = new Histogram({ name: 'moye_notices_lag_seconds', help, registers, buckets: LAG_SECONDS });
    notices.observeLag((seconds) => lag.observe(seconds));
  }
  if (replica) {
    count('replica_reads', 'Reads for visitors on the replica', () => replica.numbers().replica);
    count(
      'replica_fallbacks',
      'Reads for visitors on the primary while the replica was behind or unreachable',
      () => replica.numbers().primary,
    );
    const lagHelp = 'which the replica has not replayed; NaN while it is unreachable or does not follow';
    gauge('replica_lag_bytes', `Log in bytes ${lagHelp}`, async () => (await replica.lag())?.bytes ?? NaN);
    gauge(
      'replica_lag_seconds',
      `Age in seconds of the last commit on a replica that is behind, else 0; NaN like the bytes`,
      async () => (await replica.lag())?.seconds ?? NaN,
    );
  }
  gauge('backup_age_seconds', 'Age of the data in the last complete backup; +Inf without a backup', () =>
    backups.age(),
  );
  gauge(
    'uploads_bytes',
    'Size of pictures and their smaller copies in bytes',
    async () => (await room.measure()).bytes,
  );
  const limitHelp =
    'Maximum size of pictures and their copies in bytes (UPLOADS_LIMIT_MB); +Inf without a limit';
  gauge('uploads_limit_bytes', limitHelp, () => room.limit ?? Infinity);
  gauge('schedules_overdue', 'Scheduled articles overdue by at least five minutes', overdue.countSchedules);
  gauges(
    'deliveries_overdue',
    'Untried mails, webhooks and pushes to search engines that are overdue by at least five minutes',
    'to',
    () => overdue.countDeliveries().catch(() => []),
  );
  const served = new Counter({
    name: named('requests_total'),
    help: 'Responses by kind (page, call, file, probe) and HTTP status, or aborted',
    labelNames: ['kind', 'status'],
    registers,
  });
  const latency = new Histogram({
    name: named('request_seconds'),
    help: 'Time from receiving a request to the end of its response in seconds',
    labelNames: ['kind'],
    buckets: LATENCY_SECONDS,
    registers,
  });
  requests.observe(({ kind, status, seconds }) => {
    served.inc({ kind, status });
    latency.observe({ kind }, seconds);
  });
  const disks = async (part: 'free' | 'total') => {
    const measured = await Promise.all(folders.map(measureDisk));
    // The folder of uploads is created by the first one.
    return measured.flatMap((found, index) => (found ? [[folders[index] ?? '', found[part]] as const] : []));
  };
  gauges('disk_free_bytes', 'Free space of the disk under a folder in bytes', 'folder', () => disks('free'));
  gauges('disk_size_bytes', 'Size of the disk under a folder in bytes', 'folder', () => disks('total'));
  const unsent = async (state: 'waiting' | 'dead') => {
    const found = await outbox.countUnsent().catch(() => null);
    return LANES.map((to) => {
      const group = found?.find((each) => each.lane === to && each.state === state);
      return [to, found ? (group?.total ?? 0) : NaN] as const;
    });
  };
  const waiting = 'Mails and webhooks that wait to be sent or retried';
  gauges('deliveries_waiting', waiting, 'to', () => unsent('waiting'));
  const failed = 'Mails and webhooks that were abandoned after a day of failures';
  gauges('deliveries_failed', failed, 'to', () => unsent('dead'));
  gauge('held_items', 'Articles and comments that wait for approval', takedowns.countHeld);
  gauge('reports_open', 'Reported items that wait for a decision', reports.countOpen);
  return register;
}
