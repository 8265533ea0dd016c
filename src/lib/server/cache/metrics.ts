import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import type { CacheNumbers } from './page-cache.ts';

const COUNTERS: [name: keyof CacheNumbers, help: string][] = [
  ['hits', 'Answers from the page cache'],
  ['misses', 'Requests for a page the cache did not have'],
  ['renders', 'Pages rendered for the cache'],
  ['evictions', 'Pages dropped for lack of room'],
  ['invalidations', 'Writes that named pages to forget'],
  ['overtaken', 'Renders that a write made obsolete before they were done'],
];
const GAUGES: [name: keyof CacheNumbers, help: string][] = [
  ['entries', 'Pages kept'],
  ['bytes', 'Bytes of the pages kept'],
];

/** What a proxy adds to what it passes on. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

type Cache = { numbers(): CacheNumbers };

/**
 * Answers GET /metrics in Prometheus' text format: the page cache's numbers and prom-client's own of the process.
 * @param access `loopback`: only programs on this machine, and no proxy on it that says it speaks for others
 * @param cache null where it is switched off
 */
export function serveMetrics(access: Config['metrics'], cache: Cache | null) {
  let opening: Promise<Metrics> | undefined;
  const isWelcome = ({ socket, headers }: IncomingMessage): boolean =>
    access === 'public' ||
    (LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => !(name in headers)));
  const answer = async (response: ServerResponse): Promise<void> => {
    // Opened when first asked for: what nobody reads is not measured.
    const { contentType, text } = await (opening ??= openMetrics(cache));
    const body = await text();
    response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(body);
  };
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (request.url !== '/metrics' || access === 'off' || !isWelcome(request)) return next();
    answer(response).catch(() => response.writeHead(500).end());
  };
}

type Metrics = { contentType: string; text(): Promise<string> };

async function openMetrics(cache: Cache | null): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const [name, help] of cache ? COUNTERS : []) {
    const collect = function (this: InstanceType<typeof Counter>) {
      this.reset();
      this.inc(cache?.numbers()[name]);
    };
    register.registerMetric(
      new Counter({ name: `moye_page_cache_${name}_total`, help, registers: [], collect }),
    );
  }
  for (const [name, help] of cache ? GAUGES : []) {
    const collect = function (this: InstanceType<typeof Gauge>) {
      this.set(cache?.numbers()[name] ?? 0);
    };
    register.registerMetric(new Gauge({ name: `moye_page_cache_${name}`, help, registers: [], collect }));
  }
  return { contentType: register.contentType, text: () => register.metrics() };
}
