import { LRUCache } from 'lru-cache';
import {
  Client,
  DatabaseError,
  Pool,
  TypeOverrides,
  types,
  type ClientConfig,
  type PoolClient,
  type QueryConfig,
} from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { Log } from '../../shared/log.ts';
import { StorageUnavailableError } from '../../storage/storage.ts';

export interface Answer {
  rows: unknown[];
  command: string;
  rowCount: number | null;
}

export interface Session {
  /** The same object whenever this connection is used. */
  readonly connection: object;
  /** Resolves to the last statement's result; rejects with the server's error or a `LostConnection`. */
  run(text: string, values: readonly unknown[], atMost: number): Promise<Answer>;
  drop(): void;
  /** Returns the connection to the pool, which closes it if it was dropped or lost. */
  release(): void;
}

/** The connection that takes the lock of all writers, or the one that writes without it. */
export type Writer = 'writer' | 'aside';

export interface PostgresPool {
  /** @throws StorageUnavailableError at once while the server is unreachable, else after a timeout */
  acquire(from: 'readers' | Writer | 'counters'): Promise<Session>;
  isReachable(): boolean;
  /** Shortest time of the recent answers, as an estimate of the network's latency; 0 before the first. */
  roundTripMs(): number;
  close(): Promise<void>;
}

/** The connection broke, or the server did not answer in time: the statement's outcome is unknown. */
export class LostConnection extends Error {
  override name = 'LostConnection';
}

const CONNECT_TIMEOUT_MS = 2_000;
const PROBE_INTERVAL_MS = 300;
/** The server aborts a statement after this time; a server that does not even do that is unreachable. */
export const STATEMENT_TIMEOUT_MS = 3_000;
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 500;
/** Shorter, to distinguish a wait for a lock from a slow statement. */
const LOCK_TIMEOUT_MS = 2_500;
const IDLE_TIMEOUT_MS = 30_000;
const COUNTER_CONNECTIONS = 2;
/** Every connection keeps each named statement, some tens of kilobytes. */
const MAX_NAMED_STATEMENTS = 300;
/** Enough that some of them find the server idle. */
const RECENT_ANSWERS = 50;

/** pg's defaults, except that eight-byte integers are numbers: instants and counts are far below 2^53. */
const parsers = new TypeOverrides();
parsers.setTypeParser(types.builtins.INT8, Number);

/**
 * Reads an address with the certificates that it names, once: a file that is missing later must not end the
 * process. Parameters of the address take precedence.
 */
export function connectionTo(url: string): ClientConfig {
  const address = new URL(url);
  // Makes pg interpret `sslmode` like every other client.
  if (!address.searchParams.has('uselibpqcompat')) address.searchParams.set('uselibpqcompat', 'true');
  return {
    application_name: 'moye',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: parsers,
    ...parseIntoClientConfig(address.href),
  };
}

const SESSION_TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
};

/**
 * Returns settings of a session as one SQL text. A statement instead of startup parameters, because poolers
 * such as PgBouncer drop or refuse those. Settings in `url` take precedence.
 */
export function sessionSettings(
  url: string,
  settings: Record<string, string | number> = SESSION_TIMEOUTS,
): string {
  const given = decodeURIComponent(new URL(url).search);
  return Object.entries(settings)
    .filter(([name]) => !given.includes(name))
    .map(([name, value]) => `set ${name} = ${value};`)
    .join(' ');
}

/**
 * Opens up to `size` connections on demand: one writes, the others are read-only. One more writes at the
 * same time, and `COUNTER_CONNECTIONS` serve counters, whose last commits a crash may lose. Once a connection
 * fails, callers are refused at once until a probe, a few times a second, reaches the server again.
 * @param options `name`: what the log calls the server; `silenceMs`: time without an answer after which it
 * counts as unreachable
 */
export function createPostgresPool(
  url: string,
  size: number,
  log: Pick<Log, 'info' | 'warn'>,
  { name: serverName = 'PostgreSQL', silenceMs = SILENCE_TIMEOUT_MS } = {},
): PostgresPool {
  const probeConfig = connectionTo(url);
  const open = (max: number, settings: Record<string, string> = {}, pipeline = false) => {
    const text = sessionSettings(url, { ...SESSION_TIMEOUTS, ...settings });
    return new Pool({
      ...probeConfig,
      max,
      pipeline,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      async onConnect(client) {
        await client
          .query({ text, query_timeout: CONNECT_TIMEOUT_MS } as QueryConfig)
          .catch((error: unknown) => {
            // The caller's statement finds that the session has ended, and may run on another one.
            if (!isConnectionError(error) || isSilence(error)) throw error;
          });
      },
    });
  };
  const pools = {
    // Statements whose results are not needed are sent without waiting (perform.ts).
    writer: open(1, {}, true),
    aside: open(1, {}, true),
    readers: open(size - 1, { default_transaction_read_only: 'on' }),
    counters: open(COUNTER_CONNECTIONS, { synchronous_commit: 'off' }),
  };
  // The pool removes an idle connection that breaks; the next caller gets the reason.
  for (const pool of Object.values(pools)) {
    pool.on('error', () => {});
    // A session can end in the very packet that opened it, before its caller listens: that must not end the
    // process.
    pool.on('connect', (client) => client.on('error', () => {}));
  }
  const nameOf = namer();
  const roundTrip = shortestOf(RECENT_ANSWERS);
  let fault: unknown;
  let probing: NodeJS.Timeout | undefined;
  let isClosed = false;

  const probe = async (): Promise<void> => {
    const client = new Client(probeConfig);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      if (fault !== undefined) log.info(`${serverName} answers again`);
      fault = undefined;
    } catch {
      if (!isClosed) probing = setTimeout(() => void probe(), PROBE_INTERVAL_MS).unref();
    } finally {
      void client.end().catch(() => {});
    }
  };
  const declareUnreachable = (error: unknown): void => {
    if (fault !== undefined || isClosed) return;
    fault = error;
    log.warn({ reason: reasonOf(error) }, `${serverName} is unreachable`);
    void probe();
  };

  const sessionOn = (client: PoolClient): Session => {
    let isLost = false;
    // The server's reason for ending a session arrives before its caller finds it ended.
    let lastWords: unknown;
    const lose = (error: unknown): void => {
      isLost = true;
      lastWords ??= error;
    };
    client.on('error', lose);
    return {
      connection: client,
      async run(text, values, atMost) {
        const name = nameOf(text, values);
        const started = performance.now();
        try {
          const answer: Answer | Answer[] = await client.query({
            ...(name === undefined ? {} : { name }),
            text,
            values: [...values],
            query_timeout: atMost,
          } as QueryConfig);
          roundTrip.observe(performance.now() - started);
          return [answer].flat().at(-1) as Answer;
        } catch (error) {
          if (!isConnectionError(error)) throw withoutRows(error);
          lose(error);
          // A server that does not even report a timeout is unreachable.
          if (isSilence(error) && atMost >= silenceMs) declareUnreachable(error);
          throw new LostConnection(reasonOf(lastWords));
        }
      },
      drop() {
        isLost = true;
        void client.end().catch(() => {});
      },
      release() {
        client.off('error', lose);
        client.release(isLost);
      },
    };
  };

  return {
    async acquire(from) {
      if (fault !== undefined) throw new StorageUnavailableError(fault);
      try {
        return sessionOn(await pools[from].connect());
      } catch (error) {
        if (!isCrowded(error)) declareUnreachable(error);
        throw new StorageUnavailableError(error);
      }
    },
    isReachable: () => fault === undefined,
    roundTripMs: roundTrip.ms,
    async close() {
      isClosed = true;
      clearTimeout(probing);
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

/** Names repeated statements, so that each connection parses and plans them once. */
function namer(): (text: string, values: readonly unknown[]) => string | undefined {
  const names = new Map<string, string>();
  const seenOnce = new LRUCache<string, true>({ max: MAX_NAMED_STATEMENTS });
  return (text, values) => {
    const known = names.get(text);
    if (known !== undefined || values.length === 0 || names.size === MAX_NAMED_STATEMENTS) return known;
    if (!seenOnce.has(text)) {
      seenOnce.set(text, true);
      return undefined;
    }
    const name = `moye_${names.size}`;
    names.set(text, name);
    return name;
  };
}

/** Returns PostgreSQL's error code (errcodes-appendix of its manual), or the system's. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Returns the first line of an error; a host name with several addresses fails with one error for each. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).split('\n', 1)[0] ?? '';
}

/**
 * Whether `error` belongs to the connection, not to the statement: no answer of the server, an error that
 * ends the session (classes 08 and 57P, too long idle or in a transaction), or one that makes a prepared
 * statement useless.
 */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return !(error instanceof TypeError || error instanceof RangeError);
  const code = codeOf(error);
  const isStalePlan = code === '0A000' && error.message.includes('cached plan');
  return isStalePlan || /^(?:08|57P|25P03|25P04|26000)/.test(code);
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** All connections are in use, here or at the server: it is reachable. */
const isCrowded = (error: unknown): boolean =>
  codeOf(error) === '53300' ||
  (error instanceof Error && error.message === 'timeout exceeded when trying to connect');

/** Removes the row's values from an error, because a password hash among them would be logged. */
function withoutRows(error: unknown): unknown {
  if (error instanceof DatabaseError) error.detail = undefined;
  return error;
}

/** Out of resources, or aborted by a timeout: not the caller's fault, and perhaps temporary. */
const UNAVAILABLE = /^(?:53|57014|55P03)/;

/** Read-only or a standby (25006), I/O errors (58), damage (XX001, XX002). */
export const isUnwritable = (error: unknown): boolean => /^(?:25006|58|XX00[12])/.test(codeOf(error));

/** Converts a fault of the server, not of the statement, to StorageUnavailableError. */
export function asFault(error: unknown): unknown {
  const isFault = error instanceof LostConnection || UNAVAILABLE.test(codeOf(error));
  return isFault ? new StorageUnavailableError(error) : error;
}

/** Tracks the minimum of the last `count` to `2 * count` observed values; 0 before the first. */
function shortestOf(count: number) {
  let [former, current, observed] = [Infinity, Infinity, 0];
  return {
    observe(ms: number): void {
      if (observed++ % count === 0) [former, current] = [current, Infinity];
      current = Math.min(current, ms);
    },
    ms(): number {
      const least = Math.min(former, current);
      return least === Infinity ? 0 : least;
    },
  };
}
