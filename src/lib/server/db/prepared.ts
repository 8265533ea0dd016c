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
 * Builds and compiles a statement once per handle: building one costs several times what SQLite needs to run
 * it.
 * @param build creates the statement; `values` holds a placeholder for each value of the first call, which it
 * may bind (compare, limit by, insert) but not inspect. All calls have values of the same names.
 * @returns a function that binds the values of one call
 */
export function compileOnce<D extends Queryable, A extends object, R>(
  build: (db: D, values: A) => Compilable<R>,
): (db: D, values: A) => CompiledQuery<R> {
  const compiled = new WeakMap<Kysely<Schema>, CompiledQuery<R>>();
  return (db, values) => {
    const root = roots.get(db) ?? db;
    let query = compiled.get(root);
    if (!query) {
      const entries = Object.keys(values).map((name) => [name, new Placeholder(name)] as const);
      const placeholders: unknown = Object.fromEntries(entries);
      query = build(db, placeholders as A).compile();
      compiled.set(root, query);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof A] : value,
    );
    return { ...query, parameters };
  };
}

/** Returns a function that runs a query, which is compiled once (`compileOnce`). */
export function prepare<A extends Record<string, string | number>, R>(
  build: (db: Queryable, values: A) => Compilable<R>,
): (db: Queryable, values: A) => Promise<R[]> {
  const compile = compileOnce(build);
  return async (db, values) => {
    const query = compile(db, values);
    const run = shortcuts.get(db);
    if (run) return run(query.sql, query.parameters) as R[] | Promise<R[]>;
    return (await db.executeQuery<R>(query)).rows;
  };
}

type Run = (sql: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>;
const shortcuts = new WeakMap<Kysely<Schema>, Run>();

/**
 * Runs prepared queries on `db` through `run`: Kysely's queue and plugins take a third of a small query's
 * time. Only for a handle whose dialect has no plugins.
 */
export function answerDirectly(db: Kysely<Schema>, run: Run): void {
  shortcuts.set(db, run);
}
