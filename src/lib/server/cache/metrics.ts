import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config/config.ts';
import type { NoticeNumbers, Notices, Replica } from '../db/database.ts';
import type { Overdue } from '../doctor/overdue.ts';
import { addOperatingMetrics, type OperatingParts } from './operating-metrics.ts';
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

type Cache = { numbers(): CacheNumbers };
type BackupAge = { age(): Promise<number> };
type Room = { limit: number | null; measure(): Promise<{ bytes: number }> };
type OverdueCounts = Pick<Overdue, 'countSchedules' | 'countDeliveries'>;

/**
 * Serves GET /metrics in Prometheus' text format: page cache numbers and prom-client's process metrics.
 * @param access `loopback`: only for requests that `isWatcher` accepts
 * @param parts `cache` is null when it is off; `notices` are those of other processes, if there can be any
 */
export function serveMetrics(
  access: Config['metrics'],
  isWatcher: (request: IncomingMessage) => boolean,
  parts: {
    cache: Cache | null;
    notices: Notices | undefined;
    replica: Replica | undefined;
    backups: BackupAge;
    room: Room;
    overdue: OverdueCounts;
  } & OperatingParts,
) {
  let opening: Promise<Metrics> | undefined;
  const answer = async (response: ServerResponse): Promise<void> => {
    // Opened on first use, so nothing is measured until it is read.
    const { contentType, text } = await (opening ??= openMetrics(parts));
    const body = await text();
    response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(body);
  };
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (request.url !== '/metrics' || access === 'off') return next();
    if (access === 'loopback' && !isWatcher(request)) return next();
    answer(response).catch(() => response.writeHead(500).end());
  };
}

type Metrics = { contentType: string; text(): Promise<string> };

async function openMetrics({
  cache,
  notices,
  replica,
  backups,
  room,
  overdue,
  ...operating
}: Parameters<typeof serveMetrics>[2]): Promise<Metrics> {
  const prometheus = await import('prom-client');
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = prometheus;
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const count = (name: string, help: string, value: () => number) =>
    new Counter({
      name: `moye_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new Gauge({
      name: `moye_${name}`,
      help,
      registers,
      async collect() {
        // NaN while storage is unavailable: the other numbers still matter then.
        this.set(await Promise.try(value).catch(() => NaN));
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
  const deliveries = new Gauge({
    name: 'moye_deliveries_overdue',
    help: 'Untried mails, webhooks and pushes to search engines that are overdue by at least five minutes',
    labelNames: ['to'],
    registers: [],
    async collect() {
      this.reset();
      const totals = await overdue.countDeliveries().catch(() => []);
      for (const [to, total] of totals) this.set({ to }, total);
    },
  });
  register.registerMetric(deliveries);
  addOperatingMetrics(prometheus, register, operating);
  return { contentType: register.contentType, text: () => register.metrics() };
}
