import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import type { NoticeNumbers, Notices } from '../db/database.ts';
import type { CacheNumbers } from './page-cache.ts';

const COUNTERS: [name: keyof CacheNumbers, help: string][] = [
  ['hits', 'Answers from the page cache'],
  ['misses', 'Requests for a page the cache did not have'],
  ['renders', 'Pages rendered for the cache'],
  ['evictions', 'Pages dropped for lack of room'],
  ['invalidations', 'Writes that named pages to drop'],
  ['overtaken', 'Renders that a write made obsolete before they were done'],
];
const GAUGES: [name: keyof CacheNumbers, help: string][] = [
  ['entries', 'Pages kept'],
  ['bytes', 'Bytes of the pages kept'],
];

const NOTICE_COUNTERS: [name: keyof NoticeNumbers, help: string][] = [
  ['sent', 'Notices sent to other processes'],
  ['received', 'Notices of other processes that were heard'],
  ['losses', 'Connections to hear them on that were lost'],
];
const LAG_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What a proxy adds to what it passes on. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

type Cache = { numbers(): CacheNumbers };

/**
 * Answers GET /metrics in Prometheus' text format: the page cache's numbers and prom-client's own of the
 * process.
 * @param access `loopback`: only programs on this machine, and no proxy on it that says it speaks for others
 * @param cache null where it is switched off
 * @param notices those of other processes, where there may be some
 */
export function serveMetrics(access: Config['metrics'], cache: Cache | null, notices?: Notices) {
  let opening: Promise<Metrics> | undefined;
  const isWelcome = ({ socket, headers }: IncomingMessage): boolean =>
    access === 'public' ||
    (LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => !(name in headers)));
  const answer = async (response: ServerResponse): Promise<void> => {
    // Opened when first asked for: what nobody reads is not measured.
    const { contentType, text } = await (opening ??= openMetrics(cache, notices));
    const body = await text();
    response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(body);
  };
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (request.url !== '/metrics' || access === 'off' || !isWelcome(request)) return next();
    answer(response).catch(() => response.writeHead(500).end());
  };
}

type Metrics = { contentType: string; text(): Promise<string> };

async function openMetrics(cache: Cache | null, notices?: Notices): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
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
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `moye_${name}`,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  if (cache) {
    for (const [name, help] of COUNTERS) count(`page_cache_${name}`, help, () => cache.numbers()[name]);
    for (const [name, help] of GAUGES) gauge(`page_cache_${name}`, help, () => cache.numbers()[name]);
  }
  if (notices) {
    for (const [name, help] of NOTICE_COUNTERS) count(`notices_${name}`, help, () => notices.numbers()[name]);
    gauge('notices_current', 'Whether all notices are heard: 0 or 1', () => Number(notices.isCurrent()));
    const help = 'From the order to commit until the notice of it was heard';
    const lag = new Histogram({ name: 'moye_notices_lag_seconds', help, registers, buckets: LAG_SECONDS });
    notices.observeLag((seconds) => lag.observe(seconds));
  }
  return { contentType: register.contentType, text: () => register.metrics() };
}
