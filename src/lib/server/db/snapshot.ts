import type { Database, Queryable } from './database.ts';

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
