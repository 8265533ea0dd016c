import { Kysely, sql } from 'kysely';
import { Client, DatabaseError } from 'pg';
import type { Log } from '../../shared/log.ts';
import { StorageUnavailableError, StorageUnusableError } from '../../storage/storage.ts';
import type { Database, ExclusiveJob, Violation, WriteFault, Queryable } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { createListener } from './postgres-listener.ts';
import { createOutbox } from './postgres-notices.ts';
import { codeOf, connectionTo, createPostgresPool, isUnwritable, reasonOf } from './postgres-pool.ts';
import { requireOwnSession } from './postgres-pooler.ts';
import { readerOver, runCount, runRead } from './postgres-reads.ts';
import { createReplica } from './postgres-replica.ts';
import { afterCommit, announce, writerOver } from './postgres-writes.ts';
import { answerDirectly } from '../prepared.ts';
import type { Schema } from '../schema/schema.ts';

const OLDEST_VERSION = 15;
/**
 * Locks of the jobs that one process runs at a time; separate from the writers' lock (postgres-writes.ts).
 */
const EXCLUSIVE_LOCKS: Record<ExclusiveJob, number> = {
  maintenance: 0x6d6f7966,
  backup: 0x6d6f7967,
  tags: 0x6d6f7968,
  search: 0x6d6f7969,
  slugs: 0x6d6f796a,
  friends: 0x6d6f796b,
};

/**
 * Opens the database at `url` and migrates it to the newest schema, or to the last of `steps`. Reads use
 * connections that refuse to write; the write transactions of all processes run one at a time.
 * @param options `connections`: maximum number, at least 2, plus a few for counters, listening and
 * maintenance; `writesPerCommit`: maximum number that share a transaction, 1 by default; `readUrl`: address
 * of a standby for reads for visitors
 * @throws StorageUnusableError, NewerDatabaseError
 */
export async function openPostgres(
  url: string,
  options: {
    connections: number;
    writesPerCommit?: number;
    readUrl?: string | null;
    log: Pick<Log, 'info' | 'warn'>;
    steps?: readonly Migration[] | undefined;
  },
): Promise<Database> {
  const { connections, writesPerCommit = 1, readUrl = null, log } = options;
  if (readUrl !== null) checkFiles(readUrl);
  const place = await checkServer(url, readUrl !== null);
  const pool = createPostgresPool(url, connections, log);
  const outbox = createOutbox();
  const write = writerOver(pool, outbox, writesPerCommit);
  const aside = writerOver(pool, outbox, writesPerCommit, 'aside');
  try {
    await migrate('postgres', write.patiently, options.steps, log);
  } catch (error) {
    await pool.close();
    throw error instanceof DatabaseError ? unusable(place, error) : error;
  }
  const listener = createListener(url, outbox, pool.isReachable, log, readUrl !== null);
  const standby = readUrl === null ? null : createReplica(readUrl, connections, pool, listener.position, log);
  const readers = standby?.pool ?? pool;
  const read = new Kysely<Schema>({ dialect: readerOver(readers) });
  answerDirectly(read, async (text, parameters) => (await runRead(readers, text, parameters)).rows);
  return {
    engine: 'postgres',
    isRemote: true,
    read,
    write: write.transaction,
    writeAside: aside.transaction,
    afterCommit,
    announce,
    notices: listener.notices,
    replica: standby?.replica,
    sharedCounts: {
      table: 'attempts',
      query: ({ text, values }) => runCount(pool, text, values),
      async forgetExpired(instant) {
        await runCount(pool, 'delete from attempts where expire <= $1', [instant]);
      },
    },
    alone: (work, job = 'maintenance') => alone(url, work, EXCLUSIVE_LOCKS[job]),
    violation,
    writeFault,
    isBusy: () => false,
    faults: () => postgresFaults(read),
    async time() {
      const { rows } = await sql<{ time: number }>`
        select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as time`.execute(read);
      return Number(rows[0]?.time);
    },
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database()) as bytes`.execute(read);
      return rows[0]?.bytes ?? 0;
    },
    isReachable: () => pool.isReachable(),
    async ping() {
      await runRead(pool, 'select 1 from schema_version', []);
    },
    async close() {
      await listener.close();
      await Promise.all([write.idle(), aside.idle()]);
      await standby?.close();
      await pool.close();
    },
  };
}

/** Runs `work` under the lock of a separate session, which ends with this process in any case. */
async function alone(url: string, work: () => Promise<void>, lock: number): Promise<void> {
  const client = new Client(connectionTo(url));
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
      lock,
    ]);
    if (rows[0]?.isOurs) await work();
  } finally {
    await client.end().catch(() => {});
  }
}

interface Server {
  version: number;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  flushesCommits: boolean;
}

/** Connects once to report faults in one line; returns the database's name for such messages. */
async function checkServer(url: string, hasReplica: boolean): Promise<string> {
  let place = '';
  try {
    const client = new Client(connectionTo(url));
    place = ` ${client.database ?? ''} at ${client.host}:${client.port}`;
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<Server>(
        `select current_setting('server_version_num')::integer / 10000 as version,
          current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
          current_setting('transaction_read_only')::boolean as "isReadOnly",
          current_setting('synchronous_commit') <> 'off' as "flushesCommits"`,
      );
      const [server] = rows;
      if (!server || server.version < OLDEST_VERSION)
        throw new Error(`its version is ${server?.version}, at least ${OLDEST_VERSION} is needed`);
      if (server.encoding !== 'UTF8')
        throw new Error(`its encoding is ${server.encoding}, UTF8 is needed: createdb --encoding=UTF8`);
      if (server.isStandby) throw new Error('it is a standby, which cannot be written to');
      if (server.isReadOnly) throw new Error('it is read-only (default_transaction_read_only is on)');
      if (hasReplica && !server.flushesCommits)
        throw new Error(
          'its synchronous_commit is off, with which DATABASE_READ_URL could serve stale pages',
        );
      await requireOwnSession(url, client);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw unusable(place, error);
  }
  return place;
}

/** Reads the certificates of a standby, which need not be there yet. @throws StorageUnusableError */
function checkFiles(readUrl: string): void {
  try {
    connectionTo(readUrl);
  } catch (error) {
    throw unusable(' of DATABASE_READ_URL', error);
  }
}

const unusable = (place: string, error: unknown) =>
  new StorageUnusableError(`cannot use PostgreSQL database${place}: ${reasonOf(error)}`, { cause: error });

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const VIOLATION_KINDS: Record<string, Violation['kind']> = {
  '23503': 'foreign-key',
  '23505': 'unique',
  '23514': 'check',
};

function violation(error: unknown): Violation | null {
  if (!(error instanceof DatabaseError)) return null;
  const kind = VIOLATION_KINDS[error.code ?? ''];
  return kind ? { kind, constraint: error.constraint ?? '' } : null;
}

const DISK_FULL = '53100';

function writeFault(error: unknown): WriteFault | null {
  const cause = error instanceof StorageUnavailableError ? error.cause : error;
  if (codeOf(cause) === DISK_FULL) return 'full';
  return isUnwritable(cause) ? 'unwritable' : null;
}

const MAX_SHOWN_FAULTS = 5;

/**
 * Returns the faults that PostgreSQL already knows: pages with a wrong checksum, invalid indexes, constraints
 * that were never validated. It reads no tables for this; pg_amcheck does.
 */
async function postgresFaults(db: Queryable): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'checksum failures: ' || checksum_failures as fault from pg_stat_database
      where datname = current_database() and checksum_failures > 0
    union all
    select 'index ' || indexrelid::regclass from pg_index join pg_class on pg_class.oid = indrelid
      where not (indisvalid and indisready) and relnamespace = current_schema()::regnamespace
    union all
    select 'constraint ' || conname from pg_constraint
      where not convalidated and connamespace = current_schema()::regnamespace
    limit ${sql.lit(MAX_SHOWN_FAULTS)}`.execute(db);
  return rows.map(({ fault }) => fault);
}
