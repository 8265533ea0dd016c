import type { CompiledQuery } from 'kysely';
import type { Trx } from './database.ts';
import { compileOnce } from './prepared.ts';

interface Statement {
  compile(trx: Trx): CompiledQuery;
}
type Send = (query: CompiledQuery) => void | Promise<void>;

const senders = new WeakMap<Trx, Send>();

/**
 * Runs a statement of the write transaction `trx` whose result is not needed. On PostgreSQL this saves a
 * round trip: the statement is sent without waiting, and its error is thrown by the next awaited statement or
 * by the commit.
 */
export const perform = (trx: Trx, statement: Statement): Promise<void> => send(trx, statement.compile(trx));

/** Returns a function that performs a statement, which is compiled once (`compileOnce`). */
export function performing<A extends object>(
  build: (trx: Trx, values: A) => { compile(): CompiledQuery },
): (trx: Trx, values: A) => Promise<void> {
  const compile = compileOnce(build);
  return (trx, values) => send(trx, compile(trx, values));
}

async function send(trx: Trx, query: CompiledQuery): Promise<void> {
  const sender = senders.get(trx);
  if (sender) await sender(query);
  else await trx.executeQuery(query);
}

/** Makes `perform` send the statements of `trx` through `send`. */
export function performBy(trx: Trx, sender: Send): void {
  senders.set(trx, sender);
}
