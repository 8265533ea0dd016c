import { DatabaseError } from 'pg';
import type { Log } from '../../shared/log.ts';
import { readsForVisitors } from '../../storage/storage.ts';
import type { Replica } from '../database.ts';
import {
  createPostgresPool,
  LostConnection,
  reasonOf,
  type PostgresPool,
  type Session,
} from './postgres-pool.ts';
import { runRead } from './postgres-reads.ts';

/** State of the primary that a replica must have reached to show everything committed there. */
export interface Position {
  lsn: string;
  /** Another one after each failover: positions of two timelines cannot be compared. */
  timeline: number;
  /** Identifies the primary and its standbys. */
  system: string;
}

/**
 * Columns of a `Position`, on the primary. Commits are flushed before others see them, unless
 * synchronous_commit is off.
 */
export const POSITION = `pg_current_wal_flush_lsn()::text as lsn,
  ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline,
  (select system_identifier::text from pg_control_system()) as system`;

type Lag = NonNullable<Awaited<ReturnType<Replica['lag']>>>;

/** No row from a server that does not follow the primary of the position, or is no standby any more. */
const LAG = `select bytes, case when bytes > 0
    then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 else 0 end as seconds
  from (
    select pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::float8 as bytes
    from pg_control_recovery(), pg_control_system()
    where pg_is_in_recovery() and min_recovery_end_timeline = $2 and system_identifier::text = $3
  ) as lag where bytes is not null`;

/** A replica that does not answer within this time is unreachable. */
const CHECK_TIMEOUT_MS = 500;
/** A replica that is behind for longer is worth a warning. */
const MAX_SILENT_LAG_MS = 3_000;

/**
 * Uses a standby for reads for visitors (`forVisitors`) while it shows everything that this process has
 * noticed: all of `position`, which is unknown from the notice of a write until the primary has been asked
 * again. Otherwise, and when it fails, they use the primary.
 * @param url of one standby, or of several that take turns by connection
 * @param size maximum number of connections, as of `createPostgresPool`
 */
export function createReplica(
  url: string,
  size: number,
  primary: PostgresPool,
  position: () => Position | undefined,
  log: Pick<Log, 'info' | 'warn'>,
) {
  const pool = createPostgresPool(url, size, log, { name: 'the read replica', silenceMs: CHECK_TIMEOUT_MS });
  /** The newest position that the server of each connection has reached. */
  const reached = new WeakMap<object, Position>();
  const numbers = { replica: 0, primary: 0 };
  let behindSince: number | null = null;
  let isReported = false;

  async function lagOf(session: Session, { lsn, timeline, system }: Position): Promise<Lag | null> {
    const { rows } = await session.run(LAG, [lsn, timeline, system], CHECK_TIMEOUT_MS);
    return (rows as Lag[])[0] ?? null;
  }

  function report(reason: string): void {
    if (!isReported) log.warn({ reason }, 'the read replica is not used');
    isReported = true;
  }

  function isCurrent(lag: Lag | null): boolean {
    if (lag && lag.bytes <= 0) {
      if (isReported) log.info('the read replica is used again');
      behindSince = null;
      isReported = false;
      return true;
    }
    const now = performance.now();
    behindSince ??= now;
    if (!lag) report('it does not follow the primary');
    else if (now - behindSince >= MAX_SILENT_LAG_MS) report(`it is ${lag.bytes} bytes behind`);
    return false;
  }

  /** Returns a session of a replica that has reached `wanted`, or null. */
  async function acquireAt(wanted: Position): Promise<Session | null> {
    let session: Session | undefined;
    try {
      session = await pool.acquire('readers');
      if (reached.get(session.connection) === wanted) return session;
      if (isCurrent(await lagOf(session, wanted))) {
        reached.set(session.connection, wanted);
        return session;
      }
    } catch (error) {
      // The pool reports lost connections.
      if (error instanceof DatabaseError) report(reasonOf(error));
    }
    session?.release();
    return null;
  }

  async function acquire(): Promise<Session | null> {
    const reads = readsForVisitors();
    if (!reads) return null;
    const wanted = reads.isOnPrimary ? undefined : position();
    const session = wanted ? await acquireAt(wanted) : null;
    numbers[session ? 'replica' : 'primary']++;
    if (!session) {
      reads.isOnPrimary = true;
      return null;
    }
    return {
      ...session,
      async run(text, values, atMost) {
        try {
          // The other half is for the primary.
          return await session.run(text, values, Math.max(1, atMost / 2));
        } catch (error) {
          reads.isOnPrimary = true;
          session.drop();
          throw new LostConnection(reasonOf(error));
        }
      },
    };
  }

  const replica: Replica = {
    numbers: () => ({ ...numbers }),
    async lag() {
      const { rows } = await runRead(primary, `select ${POSITION}`, []);
      const session = await pool.acquire('readers').catch(() => null);
      try {
        return session && (await lagOf(session, (rows as [Position])[0]));
      } catch {
        return null;
      } finally {
        session?.release();
      }
    },
  };
  return {
    replica,
    /** The pool of the primary, with the replica in front of it. */
    pool: {
      ...primary,
      acquire: async (from) => (from === 'readers' && (await acquire())) || primary.acquire(from),
    } satisfies PostgresPool,
    close: pool.close,
  };
}

/**
 * Runs `work`, which reads in a transaction, again if the replica failed: a transaction cannot continue on
 * the primary.
 */
export async function againOnPrimary<T>(work: () => Promise<T>): Promise<T> {
  const reads = readsForVisitors();
  try {
    if (reads?.isOnPrimary === false) return await work();
  } catch (error) {
    if (!reads?.isOnPrimary) throw error;
  }
  return work();
}
