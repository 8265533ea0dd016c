import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import type { Queryable } from './database.ts';
import { literal } from './prepared.ts';
import type { Schema } from './schema/schema.ts';

/** Selects the number of rows, for `countOf`. */
export const TOTAL = sql<number>`count(*)`.as('total');

interface Counting {
  executeTakeFirstOrThrow(): Promise<{ total: number }>;
}

/** Returns the number of rows of a query that selects `TOTAL`. */
export const countOf = async (query: Counting): Promise<number> =>
  (await query.executeTakeFirstOrThrow()).total;

/** Counts rows up to `limit`: from an index in the order of `rows`, ten thousand take about a millisecond. */
export const countUpTo = <T extends keyof Schema>(
  db: Queryable,
  rows: SelectQueryBuilder<Schema, T, { id: string }>,
  limit: number,
): Promise<number> => countOf(db.selectFrom(rows.limit(literal(limit)).as('some')).select(TOTAL));

interface Listing<R> {
  offset(rows: RawBuilder<number>): Listing<R>;
  limit(rows: RawBuilder<number>): Listing<R>;
  execute(): Promise<R[]>;
}

/** Reads the requested page of the rows of `listing`, which `counting` counts. */
export async function readPage<R>(
  request: PageRequest,
  counting: Counting,
  listing: Listing<R>,
): Promise<{ rows: R[]; total: number }> {
  const total = await countOf(counting);
  const { offset } = locatePage(request, total);
  const page = listing.offset(literal(offset)).limit(literal(request.pageSize));
  return { rows: await page.execute(), total };
}

/**
 * Whether one of `texts` (columns, or SQL) contains `keywords`, ignoring the case of Latin letters; true for
 * ''.
 */
export function contains(keywords: string, ...texts: (string | RawBuilder<unknown>)[]): RawBuilder<SqlBool> {
  if (keywords === '') return sql`true`;
  const pattern = `%${keywords.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const matches = texts.map((text) => {
    const lowered = sql`lower(${typeof text === 'string' ? sql.ref(text) : text})`;
    return sql`${lowered} like ${pattern} escape '\\'`;
  });
  return sql`(${sql.join(matches, sql` or `)})`;
}

interface Finding<R> {
  executeTakeFirst(): Promise<R | undefined>;
}

/** Returns the first row, or null. */
export const firstOf = async <R>(query: Finding<R>): Promise<R | null> =>
  (await query.executeTakeFirst()) ?? null;

export const isFound = async (query: Finding<unknown>): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

interface Listed<R> {
  execute(): Promise<R[]>;
}

/** Returns the value of the only selected column in the first row; null without a row. */
export async function firstValue<R extends object>(query: Finding<R>): Promise<R[keyof R] | null> {
  const row = await query.executeTakeFirst();
  return row ? (Object.values(row)[0] as R[keyof R]) : null;
}

/** Returns the values of the only selected column. */
export const valuesOf = async <R extends object>(query: Listed<R>): Promise<R[keyof R][]> =>
  (await query.execute()).map((row) => Object.values(row)[0] as R[keyof R]);

/** Reads the rows that `select` finds for `values`; none without values: PostgreSQL rejects an empty list. */
export const among = async <V, R>(
  values: readonly V[],
  select: (some: readonly V[]) => Listed<R>,
): Promise<R[]> => (values.length === 0 ? [] : select(values).execute());

/** Returns the name of an account; '' if it does not exist. */
export const usernameOf = async (db: Queryable, id: string): Promise<string> =>
  (await firstValue(db.selectFrom('users').select('username').where('id', '=', id))) ?? '';

interface Changing {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint } | { numDeletedRows: bigint }>;
}

/** Returns the number of rows that an update or a delete has changed. */
export async function countChanged(query: Changing): Promise<number> {
  const result = await query.executeTakeFirst();
  return Number('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows);
}

export const isChanged = async (query: Changing): Promise<boolean> => (await countChanged(query)) > 0;

/** Tables whose rows are found by id. `comments` includes pending and hidden comments. */
export type Identified = 'users' | 'tags' | 'series' | 'articles' | 'article_versions' | 'comments';

/** Returns those of `ids` that rows of a table have. */
export async function knownIds(
  db: Queryable,
  table: Identified,
  ids: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>();
  const tables = table === 'comments' ? (['comments', 'withheld_comments'] as const) : ([table] as const);
  for (const each of tables) {
    const query = db.selectFrom(each as 'articles').select('id');
    for (const { id } of await among(ids, (some) => query.where('id', 'in', some))) known.add(id);
  }
  return known;
}
