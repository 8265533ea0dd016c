import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** A handle queries run on: the reader, or the transaction of a write. */
export type Queryable = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/**
 * A constraint of the schema that a write ran into. A unique one is named after its table and columns, whatever the engine
 * (`users_username_key`); of the others only the kind is the same.
 */
export type Violation = { kind: 'unique' | 'foreign-key' | 'check'; constraint: string };

/** Storage, whatever the engine. What cannot be reached, or takes too long, ends with StorageUnavailableError. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** For reads outside a transaction: sees every committed write. Refuses to write. */
  readonly read: Queryable;
  /**
   * Runs `work` in one write transaction and commits it durably before resolving; anything thrown rolls back and is rethrown.
   * Transactions run one after another, whichever process they are of. `work` may be run again, when the first run was rolled back
   * for reasons of the engine: it does nothing outside the transaction. Never nest: pass the transaction along instead.
   */
  write<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** Runs `work` after the transaction `trx` belongs to has committed, in order; never when it rolls back. */
  afterCommit(trx: Trx, work: () => void): void;
  /**
   * A number that is another one once anybody else has written: another process, such as an import beside a running server.
   * Not there where such writes are announced (PostgreSQL).
   */
  foreignVersion?: (() => number) | undefined;
  /** The unique, foreign-key or check constraint `error` came from, or null for any other error. */
  violation(error: unknown): Violation | null;
  /** Whether storage was there when it was last asked; while it is not, every call is refused at once. */
  isReachable(): boolean;
  /** Resolves when storage answers, rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
