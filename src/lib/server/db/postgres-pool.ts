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
import type { Log } from '../log.ts';
import { StorageUnavailableError } from '../storage.ts';
import { shortestOf } from './shortest.ts';

/** What a statement came to; `command` is its verb as the server says it. */
export interface Answer {
  rows: unknown[];
  command: string;
  rowCount: number | null;
}

/** A connection that one caller holds. */
export interface Session {
  /** Resolves to the last statement's result; rejects with the server's own error or a `LostConnection`. */
  run(text: string, values: readonly unknown[], atMost: number): Promise<Answer>;
  /** Drops the connection at once; what runs on it is rolled back by the server. */
  drop(): void;
  /** Gives the connection back; one that was dropped or lost is closed. */
  release(): void;
}

/** Connections to one server, and whether it can be reached. */
export interface PostgresPool {
  /** @throws StorageUnavailableError at once while the server cannot be reached, else in time */
  acquire(from: 'readers' | 'writer' | 'counters'): Promise<Session>;
  isReachable(): boolean;
  /** How far away the server is: the shortest time that one of the last answers took; 0 before the first. */
  roundTripMs(): number;
  close(): Promise<void>;
}

/** The connection broke, or the server did not answer in time: what it was doing there is unknown here. */
export class LostConnection extends Error {
  override name = 'LostConnection';
}

const CONNECT_MS = 2_000;
const PROBE_EVERY_MS = 300;
/** After which the server gives a statement up; a server that does not even do that is not there. */
export const STATEMENT_MS = 3_000;
const SILENCE_MS = STATEMENT_MS + 500;
/** Shorter, so that a wait for a lock is told from a slow statement. */
const LOCK_MS = 2_500;
const IDLE_MS = 30_000;
const COUNTERS = 2;
/** Each statement that has a name is kept by every connection, some tens of kilobytes. */
const NAMED_STATEMENTS = 300;
/** Some of which find the server without anything else to do. */
const RECENT_ANSWERS = 50;

/** pg's ways, except that eight-byte integers are numbers: instants and counts are far below 2^53. */
const parsers = new TypeOverrides();
parsers.setTypeParser(types.builtins.INT8, Number);

/** How to connect: `url` as pg reads it. */
export function connectionTo(url: string): ClientConfig {
  const address = new URL(url);
  // `sslmode` means what it means everywhere else.
  if (!address.searchParams.has('uselibpqcompat')) address.searchParams.set('uselibpqcompat', 'true');
  return {
    connectionString: address.href,
    application_name: 'moye',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: parsers,
  };
}

const LIMITS = {
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: 2 * STATEMENT_MS,
};

/**
 * Settings of a session, as one SQL text. A statement instead of startup parameters, because poolers such as
 * PgBouncer drop or refuse those. What `url` sets itself is left alone.
 */
export function sessionSettings(url: string, settings: Record<string, string | number> = LIMITS): string {
  const given = decodeURIComponent(new URL(url).search);
  return Object.entries(settings)
    .filter(([name]) => !given.includes(name))
    .map(([name, value]) => `set ${name} = ${value};`)
    .join(' ');
}

/**
 * Opens up to `size` connections as needed: one writes, the others refuse to; besides, `COUNTERS` for counts
 * that a crash may forget. Once one cannot be made, callers are refused at once until a probe, a few times a
 * second, reaches the server again.
 */
export function createPostgresPool(url: string, size: number, log: Pick<Log, 'info' | 'warn'>): PostgresPool {
  const probeConfig = connectionTo(url);
  const open = (max: number, settings: Record<string, string> = {}, pipeline = false) => {
    const text = sessionSettings(url, { ...LIMITS, ...settings });
    return new Pool({
      ...probeConfig,
      max,
      pipeline,
      idleTimeoutMillis: IDLE_MS,
      async onConnect(client) {
        await client.query({ text, query_timeout: CONNECT_MS } as QueryConfig).catch((error: unknown) => {
          // The caller's statement finds a session that has ended, and may be run on another one.
          if (!isConnectionError(error) || isSilence(error)) throw error;
        });
      },
    });
  };
  const pools = {
    // Statements whose results are not needed are sent without waiting (perform.ts).
    writer: open(1, {}, true),
    readers: open(size - 1, { default_transaction_read_only: 'on' }),
    counters: open(COUNTERS, { synchronous_commit: 'off' }),
  };
  // An idle connection that breaks is gone from the pool; whoever needs one next finds out why.
  for (const pool of Object.values(pools)) {
    pool.on('error', () => {});
    // A session can end in the very packet that opened it, before whoever gets it is told: that must not end
    // the process.
    pool.on('connect', (client) => client.on('error', () => {}));
  }
  const nameOf = namer();
  const roundTrip = shortestOf(RECENT_ANSWERS);
  /** Why the server cannot be reached; undefined while it can. */
  let fault: unknown;
  let probing: NodeJS.Timeout | undefined;
  let isClosed = false;

  const probe = async (): Promise<void> => {
    const client = new Client(probeConfig);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      if (fault !== undefined) log.info('PostgreSQL answers again');
      fault = undefined;
    } catch {
      if (!isClosed) probing = setTimeout(() => void probe(), PROBE_EVERY_MS).unref();
    } finally {
      void client.end().catch(() => {});
    }
  };
  const declareUnreachable = (error: unknown): void => {
    if (fault !== undefined || isClosed) return;
    fault = error;
    log.warn({ reason: reasonOf(error) }, 'PostgreSQL cannot be reached');
    void probe();
  };

  const sessionOn = (client: PoolClient): Session => {
    let isLost = false;
    // What the server says when it ends a session comes before whoever uses it finds it ended.
    let lastWords: unknown;
    const lose = (error: unknown): void => {
      isLost = true;
      lastWords ??= error;
    };
    client.on('error', lose);
    return {
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
          // A server that does not even say that it takes too long is not there.
          if (isSilence(error) && atMost >= SILENCE_MS) declareUnreachable(error);
          throw new LostConnection(reasonOf(lastWords));
        }
      },
      drop() {
        isLost = true;
        void client.end().catch(() => {});
      },
      release() {
        client.off('error', lose);
        // The pool closes what is broken.
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

/** Names statements that come again, so that each connection parses and plans them once. */
function namer(): (text: string, values: readonly unknown[]) => string | undefined {
  const names = new Map<string, string>();
  const seenOnce = new LRUCache<string, true>({ max: NAMED_STATEMENTS });
  return (text, values) => {
    const known = names.get(text);
    if (known !== undefined || values.length === 0 || names.size === NAMED_STATEMENTS) return known;
    if (!seenOnce.has(text)) {
      seenOnce.set(text, true);
      return undefined;
    }
    const name = `moye_${names.size}`;
    names.set(text, name);
    return name;
  };
}

/** PostgreSQL's code for an error (errcodes-appendix of its manual), or the system's. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** The first line of what went wrong; a name with several addresses fails with one error for each. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).split('\n', 1)[0] ?? '';
}

/**
 * Whether `error` is the connection's, not the statement's: no answer of the server's, one that ends a
 * session (classes 08 and 57P, too long idle or in a transaction), or one that leaves a prepared statement
 * useless.
 */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return !(error instanceof TypeError || error instanceof RangeError);
  const code = codeOf(error);
  const isStalePlan = code === '0A000' && error.message.includes('cached plan');
  return isStalePlan || /^(?:08|57P|25P03|25P04|26000)/.test(code);
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** All connections are taken, here or at the server: it is there, and answers those that have one. */
const isCrowded = (error: unknown): boolean =>
  codeOf(error) === '53300' ||
  (error instanceof Error && error.message === 'timeout exceeded when trying to connect');

/** An error without its row's values: a password's hash among them would go into the log. */
function withoutRows(error: unknown): unknown {
  if (error instanceof DatabaseError) error.detail = undefined;
  return error;
}

/** Out of resources, given up by a timeout: not the caller's fault, and perhaps over soon. */
const UNAVAILABLE = /^(?:53|57014|55P03)/;

/** Read-only or a standby (25006), I/O errors (58), damage (XX001, XX002). */
export const isUnwritable = (error: unknown): boolean => /^(?:25006|58|XX00[12])/.test(codeOf(error));

/** What a caller is told: StorageUnavailableError where the server is at fault, not the statement. */
export function asFault(error: unknown): unknown {
  const isFault = error instanceof LostConnection || UNAVAILABLE.test(codeOf(error));
  return isFault ? new StorageUnavailableError(error) : error;
}
