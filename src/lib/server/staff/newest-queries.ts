import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { literal } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import { outsideRequests } from '../storage/storage.ts';

/** Maximum rows of a list that are counted, newest first: older ones are found by searching. */
export const MAX_LISTED = 10_000;
/** Rows that are searched before other requests have a turn: SQLite works synchronously. */
const RANGE_ROWS = 10_000;

/** Rows created since `from` and before `before`, in milliseconds. */
export interface Range {
  from: number;
  before: number;
}

interface Page {
  offset: number;
  limit: number;
}

/** Rows of a list of the console, with the keywords of a search. */
interface Newest<R> {
  countAll(): Promise<number>;
  /** Time of the last row of a range that ends at `before`; null if that is the last range. */
  findStart(before: number): Promise<number | null>;
  countIn(range: Range): Promise<number>;
  /** Lists rows of the range, newest first; `among`: how many rows without keywords the page needs. */
  list(range: Range, page: Page & { among: number | null }): Promise<R[]>;
}

const ALL: Range = { from: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };

export const isWithin = (column: string, { from, before }: Range): RawBuilder<SqlBool> =>
  sql`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${before})`;

/** Finds the time that `Newest.findStart` returns; `times` are in the order of the list. */
export async function findTime<T extends keyof Schema>(
  times: SelectQueryBuilder<Schema, T, { create_time: number }>,
  before: number,
): Promise<number | null> {
  const last = times
    .where(sql<SqlBool>`create_time < ${before}`)
    .offset(literal(RANGE_ROWS - 1))
    .limit(literal(1));
  return (await last.executeTakeFirst())?.create_time ?? null;
}

/**
 * Reads a page of the newest rows. Without keywords only the page's rows are read; else all rows are
 * searched, one range after another.
 */
export async function readNewest<R>(
  request: PageRequest & { keywords: string },
  newest: Newest<R>,
): Promise<{ rows: R[]; total: number }> {
  const limit = request.pageSize;
  if (request.keywords === '') {
    const total = await newest.countAll();
    const { offset } = locatePage(request, total);
    return { rows: await newest.list(ALL, { offset, limit, among: offset + limit }), total };
  }
  // A search of millions of rows takes longer than requests may wait for storage; each statement is short.
  const found = await outsideRequests(() => countFound(newest));
  const total = found.reduce((sum, { count }) => sum + count, 0);
  let { offset } = locatePage(request, total);
  const rows: R[] = [];
  for (const { range, count } of found) {
    if (rows.length === limit) break;
    if (offset < count)
      rows.push(...(await newest.list(range, { offset, limit: limit - rows.length, among: null })));
    offset = Math.max(0, offset - count);
  }
  return { rows, total };
}

/** Counts the rows with the keywords, by range; the newest range is the first. */
async function countFound<R>({ findStart, countIn }: Newest<R>): Promise<{ range: Range; count: number }[]> {
  const found: { range: Range; count: number }[] = [];
  let { before } = ALL;
  for (;;) {
    const start = await findStart(before);
    const range = { from: start ?? ALL.from, before };
    const count = await countIn(range);
    if (count > 0) found.push({ range, count });
    if (start === null) return found;
    before = start;
    await setImmediate();
  }
}
