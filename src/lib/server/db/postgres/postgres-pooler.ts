import { Client } from 'pg';
import { connectionTo } from './postgres-pool.ts';

/** More than one, because other clients may take a shared session between two statements. */
const ROUNDS = 3;
/** A pooler without a free session may let a client wait for minutes. */
const RESPONSE_TIMEOUT_MS = 5_000;

const SHARED =
  'a connection pooler gives its sessions to other clients between transactions; set it to pool sessions (PgBouncer: pool_mode = session)';
const EXHAUSTED = `no second session within ${RESPONSE_TIMEOUT_MS / 1000} s: a connection pooler has too few`;

/**
 * Refuses a pooler that shares sessions: settings, prepared statements and LISTEN would be lost after each
 * transaction. With such a pooler `second` gets the session of `first`, or `first` moves to another session
 * while `second` keeps a transaction open.
 * @throws Error with a message for the operator
 */
export async function requireOwnSession(url: string, first: Client): Promise<void> {
  const second = new Client({ ...connectionTo(url), query_timeout: RESPONSE_TIMEOUT_MS });
  second.on('error', () => {});
  try {
    await second.connect();
    await sessionOf(second).catch((error: unknown) => {
      throw new Error(EXHAUSTED, { cause: error });
    });
    for (let round = 0; round < ROUNDS; round++) {
      const before = await sessionOf(first);
      await second.query('begin');
      if ((await sessionOf(second)) === before) throw new Error(SHARED);
      if ((await sessionOf(first)) !== before) throw new Error(SHARED);
      await second.query('rollback');
    }
  } finally {
    await second.end().catch(() => {});
  }
}

async function sessionOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
