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

export const idsOf = async (query: { execute(): Promise<{ id: string }[]> }): Promise<string[]> =>
  (await query.execute()).map(({ id }) => id);

/** Tables whose rows are found by id. `comments` includes pending and hidden comments. */
export type Identified = 'users' | 'tags' | 'series' | 'articles' | 'article_versions' | 'comments';

/** Returns those of `ids` that rows of a table have. */
export async function knownIds(
  db: Queryable,
  table: Identified,
  ids: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>();
  if (ids.length === 0) return known;
  const tables = table === 'comments' ? (['comments', 'withheld_comments'] as const) : ([table] as const);
  for (const each of tables) {
    const query = db.selectFrom(each as 'articles').select('id');
    for (const id of await idsOf(query.where('id', 'in', [...ids]))) known.add(id);
  }
  return known;
}
