import { sql, type CompiledQuery, type Kysely } from 'kysely';
import type { Queryable } from './database.ts';
import type { Schema } from './schema.ts';

/** Stands for a value that is known only when the query runs. */
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
 * A number in the statement: SQLite compiles anew for each value bound to LIMIT or OFFSET (65 µs against 12
 * for two neighbours). Only for integers of our own making.
 */
export const literal = (value: number) => sql.lit(Math.trunc(value));

/**
 * A query built and compiled once for each handle: building one costs several times what SQLite needs to
 * answer it. Returns how to run it.
 * @param build makes the query; `values` holds a placeholder for each argument, to be bound as it is
 * (compared, limited by), never looked at
 */
export function prepare<A extends Record<string, string | number>, R>(
  build: (db: Queryable, values: A) => Compilable<R>,
): (db: Queryable, values: A) => Promise<R[]> {
  const compiled = new WeakMap<Kysely<Schema>, CompiledQuery<R>>();
  const placeholders = new Proxy({} as A, { get: (_, name) => new Placeholder(String(name)) });
  return async (db, values) => {
    let query = compiled.get(db);
    if (!query) {
      query = build(db, placeholders).compile();
      compiled.set(db, query);
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
 * Runs prepared queries on `db` by `run`: Kysely's queue and plugins are a third of a small query's time.
 * Only for a handle outside transactions whose dialect has no plugins.
 */
export function answerDirectly(db: Kysely<Schema>, run: Run): void {
  shortcuts.set(db, run);
}
