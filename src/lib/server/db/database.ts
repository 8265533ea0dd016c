import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema/schema.ts';

export type Queryable = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/** A violated constraint. A unique one has the same name on both engines (`users_username_key`). */
export type Violation = { kind: 'unique' | 'foreign-key' | 'check'; constraint: string };

/**
 * Storage fault behind a failed write: full, perhaps full (the engine reports only that it could not write),
 * or read-only, damaged or failing.
 */
export type WriteFault = 'full' | 'perhaps full' | 'unwritable';

export interface Notices {
  /**
   * Listens until the database closes. Resolves after the first attempt to connect; a lost connection is
   * restored.
   * @param listener `onNotice` receives each notice in commit order; `onGap` is called when notices may have
   * been lost, or were too many to send
   */
  listen(listener: { onNotice(notice: unknown): void; onGap(): void }): Promise<void>;
  /**
   * Whether everything that others had acknowledged `LEASE_MS` ago has been received; false before `listen`.
   */
  isCurrent(): boolean;
  /** Resolves, after a short wait, to whether everything acknowledged before the call has been received. */
  catchUp(): Promise<boolean>;
  /** Calls `observe` with the seconds from each commit command until its notice is back in this process. */
  observeLag(observe: (seconds: number) => void): void;
  numbers(): NoticeNumbers;
}

export interface NoticeNumbers {
  sent: number;
  received: number;
  /** Number of lost connections. */
  losses: number;
}

/** A standby that serves reads for visitors (`forVisitors`) while it is current. */
export interface Replica {
  /** Number of reads for visitors by the server that they used. */
  numbers(): { replica: number; primary: number };
  /**
   * Returns the log that it has not replayed in bytes, and if there is any, the age of its last commit in
   * seconds (null before the first); null while it is unreachable or does not follow the primary.
   */
  lag(): Promise<{ bytes: number; seconds: number | null } | null>;
}

/** Counters shared by all processes. Each statement is its own transaction and does not wait for writers. */
export interface SharedCounts {
  readonly table: string;
  /** Runs one statement, with the interface of pg's clients. */
  query(statement: {
    text: string;
    values: unknown[];
  }): Promise<{ rows: unknown[]; rowCount: number | null }>;
  /** Deletes counters that had expired at `instant` (milliseconds since the epoch). */
  forgetExpired(instant: number): Promise<void>;
}

/** Jobs that only one process runs at a time; 'maintenance' by default. */
export type ExclusiveJob = 'maintenance' | 'backup' | 'tags' | 'search' | 'slugs' | 'friends';

/** Storage on either engine. Throws StorageUnavailableError when it is unreachable or too slow. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Whether requests wait for its answers. */
  readonly isRemote: boolean;
  /** For reads outside a transaction: sees every committed write. Refuses to write. */
  readonly read: Queryable;
  /**
   * Runs `work` in a write transaction, durable when this resolves; an error of `work` rolls it back. Writes
   * of all processes run one at a time. The engine may run `work` again, so it must have no effect outside
   * the transaction. Never nest.
   */
  write<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /**
   * Like `write`, but at the same time as other writes, for which it does not wait: only for marks and sums
   * whose statements are right whatever others write, and that no cached page shows.
   */
  writeAside<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` once `trx` has committed, in order, outside the request that wrote; also if the connection
   * was lost during the commit.
   */
  afterCommit(trx: Trx, work: () => void): void;
  /**
   * Sends `notice` (plain data) to other processes if and only if `trx` commits. Does nothing if there is a
   * `foreignVersion`.
   */
  announce(trx: Trx, notice: unknown): void;
  readonly notices?: Notices | undefined;
  readonly replica?: Replica | undefined;
  /** Changes when another process has written; absent where writes are announced (PostgreSQL). */
  foreignVersion?: (() => number) | undefined;
  readonly sharedCounts?: SharedCounts | undefined;
  /** Runs `work` unless another process is running the same job; then does nothing. */
  alone(work: () => Promise<void>, job?: ExclusiveJob): Promise<void>;
  /** Returns the unique, foreign-key or check constraint that `error` violated, or null. */
  violation(error: unknown): Violation | null;
  /** Returns the storage fault behind `error`, which a write failed with, or null. */
  writeFault(error: unknown): WriteFault | null;
  /**
   * Whether another process is writing now. SQLite tests this on a new connection, which is also refused if
   * the file was replaced or became read-only; PostgreSQL queues writers, so this is false.
   * @throws StorageUnavailableError
   */
  isBusy(): boolean;
  /** Returns faults of the stored data; empty if it is intact. May read all of it and block this thread. */
  faults(): Promise<string[]>;
  /** Time of the clock of the database in milliseconds; of this machine for SQLite. */
  time(): Promise<number>;
  /** Size on disk in bytes. */
  size(): Promise<number>;
  /** Whether storage answered the last time; while it does not, every call is refused at once. */
  isReachable(): boolean;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** One state of a database, read without changing anything: later commits are not visible. */
export interface Snapshot {
  readonly engine: Database['engine'];
  /** Identifies the database, without a password. */
  readonly name: string;
  /** Names of all tables, including those of other programs. */
  readonly tables: readonly string[];
  readonly version: number;
  readonly db: Queryable;
  /** Whether the database was written to since; absent if that cannot be known. */
  wasWritten?: (() => boolean) | undefined;
  close(): Promise<void>;
}
