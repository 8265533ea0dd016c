import { sql, type CompiledQuery, type Kysely } from 'kysely';
import type { Queryable } from './database.ts';
import type { Schema } from './schema/schema.ts';

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface Compilable<R> {
  compile(): CompiledQuery<R>;
}

/**
 * Inlines a number into the statement: SQLite compiles again for each value bound to LIMIT or OFFSET (65 µs
 * against 12 for two neighbours). Only for integers that the code computes.
 */
export const literal = (value: number) => sql.lit(Math.trunc(value));

/** Handles of transactions, and the handle that they belong to. */
const roots = new WeakMap<Kysely<Schema>, Kysely<Schema>>();

/** Lets the transaction `trx` use the queries that were compiled for the other transactions of `db`. */
export function shareCompiled(trx: Kysely<Schema>, db: Kysely<Schema>): void {
  roots.set(trx, db);
}

/**
 * Builds and compiles a query once per handle: building one costs several times what SQLite needs to answer
 * it.
 * @param build creates the query; `values` holds a placeholder for each argument, which it may bind (compare,
 * limit by) but not inspect
 * @returns a function that runs the query
 */
export function prepare<A extends Record<string, string | number>, R>(
  build: (db: Queryable, values: A) => Compilable<R>,
): (db: Queryable, values: A) => Promise<R[]> {
  const compiled = new WeakMap<Kysely<Schema>, CompiledQuery<R>>();
  const placeholders = new Proxy({} as A, { get: (_, name) => new Placeholder(String(name)) });
  return async (db, values) => {
    const root = roots.get(db) ?? db;
    let query = compiled.get(root);
    if (!query) {
      query = build(db, placeholders).compile();
      compiled.set(root, query);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name] : value,
    );
    const run = shortcuts.get(db);
    if (run) return run(query.sql, parameters) as R[] | Promise<R[]>;
    return (await db.executeQuery<R>({ ...query, parameters })).rows;
  };
}

type Run = (sql: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>;
const shortcuts = new WeakMap<Kysely<Schema>, Run>();

/**
 * Runs prepared queries on `db` through `run`: Kysely's queue and plugins take a third of a small query's
 * time. Only for a handle outside transactions whose dialect has no plugins.
 */
export function answerDirectly(db: Kysely<Schema>, run: Run): void {
  shortcuts.set(db, run);
}
