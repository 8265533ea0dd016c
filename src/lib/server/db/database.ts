import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** A handle queries run on: the reader, or the transaction of a write. */
export type Queryable = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/**
 * A constraint of the schema that a write ran into. A unique one is named after its table and columns,
 * whatever the engine (`users_username_key`); of the others only the kind is the same.
 */
export type Violation = { kind: 'unique' | 'foreign-key' | 'check'; constraint: string };

/**
 * Whether a write found no room on the disk; `perhaps` where the engine says no more than that it could not
 * write.
 */
export type OutOfSpace = 'yes' | 'perhaps' | 'no';

/** Hears what other processes announce. */
export interface Notices {
  /**
   * Listens for as long as the database is open. Resolves when the first attempt to connect has succeeded or
   * failed; it is repeated until it succeeds, and whenever the connection is lost.
   * @param ear `heard` is given each notice, in the order of the commits; `missed` is called when notices may
   * have got lost, or when there was more to tell than can be told
   */
  listen(ear: { heard(notice: unknown): void; missed(): void }): Promise<void>;
  /**
   * Whether everything that another process has had acknowledged `LEASE_MS` ago or earlier has been heard;
   * false until `listen`.
   */
  isCurrent(): boolean;
  /**
   * Makes sure: whether everything that had been acknowledged when this was called has been heard when it
   * resolves. The connection is asked at once, and its answer not waited for for long.
   */
  catchUp(): Promise<boolean>;
  /**
   * Calls `observe` with the seconds from each order to commit until its notice has come back to this
   * process.
   */
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

/**
 * Storage, whatever the engine. What cannot be reached, or takes too long, ends with StorageUnavailableError.
 */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** For reads outside a transaction: sees every committed write. Refuses to write. */
  readonly read: Queryable;
  /**
   * Runs `work` in one write transaction and commits it durably before resolving; anything thrown rolls back
   * and is rethrown. Transactions run one after another, whichever process they are of. `work` may be run
   * again, when the first run was rolled back for reasons of the engine: it does nothing outside the
   * transaction. Never nest: pass the transaction along instead.
   */
  write<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` after the transaction `trx` belongs to has committed, in order; never when it rolls back.
   * When the connection was lost over the order to commit, it runs too: it may be true.
   */
  afterCommit(trx: Trx, work: () => void): void;
  /**
   * Has `notice` (plain data) told to the other processes that listen, by the commit of `trx` itself: nobody
   * hears of what was rolled back, and nothing committed goes untold. Does nothing where there is
   * `foreignVersion`.
   */
  announce(trx: Trx, notice: unknown): void;
  /** What other processes announce, where they do (PostgreSQL). */
  readonly notices?: Notices | undefined;
  /**
   * A number that is another one once anybody else has written: another process, such as an import beside a
   * running server. Not there where such writes are announced (PostgreSQL).
   */
  foreignVersion?: (() => number) | undefined;
  /** Where several processes count together (PostgreSQL). */
  readonly sharedCounts?: SharedCounts | undefined;
  /** Runs `work`, unless another process is just now running its own: then nothing happens. */
  alone(work: () => Promise<void>): Promise<void>;
  /** The unique, foreign-key or check constraint `error` came from, or null for any other error. */
  violation(error: unknown): Violation | null;
  /** Whether `error`, which a write ended with, says that the disk is full. */
  outOfSpace(error: unknown): OutOfSpace;
  /** Whether storage was there when it was last asked; while it is not, every call is refused at once. */
  isReachable(): boolean;
  /** Resolves when storage answers, rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
