import type { CompiledQuery } from 'kysely';
import type { Trx } from './database.ts';

interface Statement {
  compile(trx: Trx): CompiledQuery;
}
type Send = (query: CompiledQuery) => void;

const senders = new WeakMap<Trx, Send>();

/**
 * Runs a statement of the write transaction `trx` whose result is not needed. On PostgreSQL this saves a
 * round trip: the statement is sent without waiting, and its error is thrown by the next awaited statement or
 * by the commit.
 */
export async function perform(trx: Trx, statement: Statement): Promise<void> {
  const send = senders.get(trx);
  const query = statement.compile(trx);
  if (send) send(query);
  else await trx.executeQuery(query);
}

/** Makes `perform` send the statements of `trx` through `send`. */
export function performBy(trx: Trx, send: Send): void {
  senders.set(trx, send);
}
