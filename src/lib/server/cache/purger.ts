import { pageTags } from '../../shared/pages/page-tags.ts';
import { MAX_PURGE_BYTES, PURGE_PATH, signPurge } from '../../shared/purge-signature.ts';
import type { Log } from '../shared/log.ts';

interface Options {
  fronts: readonly string[];
  secret: string;
  log: Log;
  /** Milliseconds: time to gather tags before a purge; first and maximum retry delay after a failure. */
  pace?: { gather: number; retry: number; longest: number };
}

const PACE = { gather: 50, retry: 1_000, longest: 60_000 };
const PURGE_TIMEOUT_MS = 5_000;
/** Above this number, purges everything. */
const MAX_TAGS = 500;
const TOO_LARGE = 413;

/** Creates a purger. Fronts that cannot be reached are retried with all tags gathered meanwhile. */
export function createPurger({ fronts, secret, log, pace = PACE }: Options) {
  const lines = fronts.map((front) => createLine(front, secret, log, pace));
  return {
    /** Returns at once: no write waits for a front, or fails because of one. */
    purge(tags: readonly string[]): void {
      for (const line of lines) line.purge(tags);
    },
    async close(): Promise<void> {
      await Promise.all(lines.map((line) => line.close()));
    },
  };
}

function createLine(front: string, secret: string, log: Log, pace: typeof PACE) {
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let failures = 0;
  let isClosed = false;

  function plan(): void {
    if (isClosed || timer || sending || waiting.size === 0) return;
    const wait = failures === 0 ? pace.gather : Math.min(pace.retry * 2 ** (failures - 1), pace.longest);
    timer = setTimeout(() => {
      timer = undefined;
      sending = send().finally(() => {
        sending = undefined;
        plan();
      });
    }, wait).unref();
  }

  async function send(): Promise<void> {
    const isAll = waiting.size > MAX_TAGS || waiting.has(pageTags.site);
    const bodies = isAll ? [[pageTags.site]] : splitByBytes(waiting);
    waiting = new Set();
    try {
      while (bodies[0]) {
        const status = await post(front, secret, bodies[0]);
        // A proxy before the front may allow less. The same tags would be refused again.
        if (status === TOO_LARGE && bodies[0][0] !== pageTags.site)
          bodies.splice(0, Infinity, [pageTags.site]);
        else if (status < 200 || status > 299) throw new Error(`${front}${PURGE_PATH} answered ${status}`);
        else bodies.shift();
      }
      failures = 0;
    } catch (error) {
      for (const tag of bodies.flat()) waiting.add(tag);
      if (failures++ === 0) log.warn({ err: error, front }, 'purging an edge front failed, will retry');
    }
  }

  return {
    purge(tags: readonly string[]): void {
      for (const tag of tags) waiting.add(tag);
      plan();
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      if (waiting.size > 0) await send();
    },
  };
}

const bodyOf = (tags: readonly string[]): string => JSON.stringify({ tags });

/** Splits tags, so that each body is within the limit of a front. */
function splitByBytes(tags: Iterable<string>): string[][] {
  const parts: string[][] = [];
  let bytes = Infinity;
  for (const tag of tags) {
    // A comma follows each tag.
    const more = Buffer.byteLength(JSON.stringify(tag)) + 1;
    if (bytes + more > MAX_PURGE_BYTES) {
      parts.push([]);
      bytes = bodyOf([]).length;
    }
    parts.at(-1)?.push(tag);
    bytes += more;
  }
  return parts;
}

/** Sends one purge and returns the status of the response. */
async function post(front: string, secret: string, tags: string[]): Promise<number> {
  const body = bodyOf(tags);
  const response = await fetch(front + PURGE_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(await signPurge(secret, body, Date.now())) },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(PURGE_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.status;
}
