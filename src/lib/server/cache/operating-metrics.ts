import type { Registry } from 'prom-client';
import type { RequestLog } from '../http/request-log.ts';
import { measureDisk } from '../storage/disk-reserve.ts';

type Prometheus = typeof import('prom-client');

export interface OperatingParts {
  requests: Pick<RequestLog, 'observe'>;
  /** Folders on the disk of this machine. */
  folders: readonly string[];
  outbox: { countUnsent(): Promise<readonly { lane: string; state: string; total: number }[]> };
  takedowns: { countHeld(): Promise<number> };
  reports: { countOpen(): Promise<number> };
}

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const named = (name: string) => `moye_${name}`;
const LANES = ['mail', 'webhook', 'own'];

/** Adds requests by kind and status with their latency, room on the disk, and queues. */
export function addOperatingMetrics(
  { Counter, Gauge, Histogram }: Prometheus,
  register: Registry,
  { requests, folders, outbox, takedowns, reports }: OperatingParts,
): void {
  const registers = [register];
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
  const disk = (name: string, help: string, part: 'free' | 'total') =>
    new Gauge({
      name: named(`disk_${name}_bytes`),
      help,
      labelNames: ['folder'],
      registers,
      async collect() {
        this.reset();
        for (const folder of folders) {
          const measured = await measureDisk(folder);
          // The folder of uploads is created by the first one.
          if (measured) this.set({ folder }, measured[part]);
        }
      },
    });
  disk('free', 'Free space of the disk under a folder in bytes', 'free');
  disk('size', 'Size of the disk under a folder in bytes', 'total');
  const unsent = (name: string, help: string, state: 'waiting' | 'dead') =>
    new Gauge({
      name: named(`deliveries_${name}`),
      help,
      labelNames: ['to'],
      registers,
      async collect() {
        const found = await outbox.countUnsent().catch(() => null);
        for (const to of LANES) {
          const group = found?.find((each) => each.lane === to && each.state === state);
          this.set({ to }, found ? (group?.total ?? 0) : NaN);
        }
      },
    });
  unsent('waiting', 'Mails and webhooks that wait to be sent or retried', 'waiting');
  unsent('failed', 'Mails and webhooks that were abandoned after a day of failures', 'dead');
  const work = (name: string, help: string, value: () => Promise<number>) =>
    new Gauge({
      name: named(name),
      help,
      registers,
      async collect() {
        this.set(await value().catch(() => NaN));
      },
    });
  work('held_items', 'Articles and comments that wait for approval', takedowns.countHeld);
  work('reports_open', 'Reported items that wait for a decision', reports.countOpen);
}
