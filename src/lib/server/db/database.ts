import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** A handle queries run on: the reader, or the transaction of a write. */
export type Queryable = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/** A constraint that a write ran into. A unique one is named alike on both engines (`users_username_key`). */
export type Violation = { kind: 'unique' | 'foreign-key' | 'check'; constraint: string };

/**
 * Storage fault behind a failed write: full, perhaps full (the engine reports only that it could not write),
 * or read-only, damaged or out of order.
 */
export type WriteFault = 'full' | 'perhaps full' | 'unwritable';

/** Hears what other processes announce. */
export interface Notices {
  /**
   * Listens until the database closes. Resolves after the first attempt to connect; lost ones are repeated.
   * @param ear `heard` is given each notice, in the order of the commits; `missed` is called when some may
   * have got lost, or there was more to tell than can be told
   */
  listen(ear: { heard(notice: unknown): void; missed(): void }): Promise<void>;
  /** Whether all that others had acknowledged `LEASE_MS` ago has been heard; false until `listen`. */
  isCurrent(): boolean;
  /** Whether all that was acknowledged at the call has been heard when it resolves, after a short wait. */
  catchUp(): Promise<boolean>;
  /** Calls `observe` with the seconds from each order to commit until its notice is back here. */
  observeLag(observe: (seconds: number) => void): void;
  numbers(): NoticeNumbers;
}

/** Numbers since the start. */
export interface NoticeNumbers {
  sent: number;
  received: number;
  /** How often the connection was lost. */
  losses: number;
}

/** Counts that all processes share, each step for itself and without waiting for those who write. */
export interface SharedCounts {
  /** The table they are in (migrations/0005-attempts.ts). */
  readonly table: string;
  /** Runs one statement, as pg's own clients do. */
  query(statement: {
    text: string;
    values: unknown[];
  }): Promise<{ rows: unknown[]; rowCount: number | null }>;
  /** Forgets counts whose time was over at `instant` (milliseconds since the epoch). */
  forgetExpired(instant: number): Promise<void>;
}

/** What one process does at a time; upkeep unless it is said. */
export type LoneChore = 'upkeep' | 'backup' | 'tags';

/** Storage of any engine. Out of reach, or too slow, it throws StorageUnavailableError. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** For reads outside a transaction: sees every committed write. Refuses to write. */
  readonly read: Queryable;
  /**
   * Runs `work` in a write transaction, durable when this resolves; what it throws rolls back. One runs at a
   * time, over all processes. The engine may have `work` run again: it does nothing outside the transaction.
   * Never nest.
   */
  write<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` once `trx` has committed, in order, outside of the request that wrote; also when the
   * connection was lost over the order.
   */
  afterCommit(trx: Trx, work: () => void): void;
  /**
   * Has `notice` (plain data) told to other processes by the commit of `trx` itself: whenever it commits, and
   * only then. Does nothing where there is `foreignVersion`.
   */
  announce(trx: Trx, notice: unknown): void;
  /** What other processes announce, where they do (PostgreSQL). */
  readonly notices?: Notices | undefined;
  /** Changes when another process has written; absent where writes are announced (PostgreSQL). */
  foreignVersion?: (() => number) | undefined;
  /** Where several processes count together (PostgreSQL). */
  readonly sharedCounts?: SharedCounts | undefined;
  /** Runs `work`, unless another process is just now running that chore: then nothing happens. */
  alone(work: () => Promise<void>, chore?: LoneChore): Promise<void>;
  /** The unique, foreign-key or check constraint `error` came from, or null for any other error. */
  violation(error: unknown): Violation | null;
  /** What `error`, which a write ended with, says of storage; null for nothing. */
  writeFault(error: unknown): WriteFault | null;
  /**
   * Whether another process is writing now. On SQLite a new connection finds out, which is also refused where
   * the file has been replaced or become read-only; PostgreSQL lets writers wait: false.
   * @throws StorageUnavailableError
   */
  isBusy(): boolean;
  /** Bytes that it takes on disk. */
  size(): Promise<number>;
  /** Whether storage was there when it was last asked; while it is not, every call is refused at once. */
  isReachable(): boolean;
  /** Resolves when storage answers, rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** One state of a database, read without changing anything: what others commit meanwhile is not seen. */
export interface Snapshot {
  readonly engine: Database['engine'];
  /** What tells this database from others; without a password. */
  readonly name: string;
  /** Names of all tables, whoever made them. */
  readonly tables: readonly string[];
  /** Version of our schema, 0 where there is none. */
  readonly version: number;
  readonly db: Queryable;
  /** Whether somebody has written since. Not there where that cannot be told. */
  wasWritten?: (() => boolean) | undefined;
  close(): Promise<void>;
}
