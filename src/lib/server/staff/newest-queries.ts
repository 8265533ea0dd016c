import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { literal } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import { outsideRequests } from '../storage/storage.ts';

/** Maximum rows of a list that are counted, newest first: older ones are found by searching. */
export const MAX_LISTED = 10_000;
/** Rows that are searched before other requests have a turn: SQLite works synchronously. */
const RANGE_ROWS = 5_000;

/** Most ranges that one request with a cursor searches. */
const RANGES_PER_PART = 10;

/** Position in a list, newest first: before the row with this time and id. */
export interface Position {
  time: number;
  id: string;
}

/** Rows created since `from`, in milliseconds, that follow `before` in the list. */
export interface Range {
  from: number;
  before: Position;
}

/** Rows of a list of the console, with the keywords of a search. */
interface Newest<R> {
  countAll(): Promise<number>;
  /** Time of the last row of a range that ends at `before`; null if that is the last range. */
  findStart(before: Position): Promise<number | null>;
  countIn(range: Range): Promise<number>;
  /** Lists rows of the range, newest first; `among`: how many rows without keywords the page needs. */
  list(range: Range, page: { offset: number; limit: number; among: number | null }): Promise<R[]>;
}

interface Row {
  id: string;
  create_time: number;
}

interface Listed<R> {
  rows: R[];
  total: number;
  /** Position up to which a part of a search has read; null after the last part. */
  next?: Position | null;
}

const NEWEST: Position = { time: Number.MAX_SAFE_INTEGER, id: '' };
const ALL: Range = { from: Number.MIN_SAFE_INTEGER, before: NEWEST };

/** Parses the `cursor` of a search in parts (contract/calls/staff-calls.ts). */
function readCursor(cursor: string): Position {
  if (cursor === 'start') return NEWEST;
  const [time, id = ''] = cursor.split('.');
  return { time: Number(time), id };
}

export const writeCursor = ({ time, id }: Position): string => (id === '' ? `${time}` : `${time}.${id}`);

const isAfter = (table: string, { time, id }: Position): RawBuilder<SqlBool> =>
  sql`(${sql.ref(`${table}.create_time`)} <= ${time}
    and (${sql.ref(`${table}.create_time`)} < ${time} or ${sql.ref(`${table}.id`)} < ${id}))`;

export const isWithin = (table: string, { from, before }: Range): RawBuilder<SqlBool> =>
  sql`(${sql.ref(`${table}.create_time`)} >= ${from} and ${isAfter(table, before)})`;

/** Finds the time that `Newest.findStart` returns; `times` are in the order of the list. */
export async function findTime<T extends keyof Schema>(
  table: string,
  times: SelectQueryBuilder<Schema, T, { create_time: number }>,
  before: Position,
): Promise<number | null> {
  const last = times
    .where(isAfter(table, before))
    .offset(literal(RANGE_ROWS - 1))
    .limit(literal(1));
  return (await last.executeTakeFirst())?.create_time ?? null;
}

/**
 * Reads a page of the newest rows. Without keywords only the page's rows are read. With keywords and a cursor
 * a part of the rows is searched, from the cursor on; without a cursor all rows, one range after another.
 */
export async function readNewest<R extends Row>(
  request: PageRequest & { keywords: string; cursor?: string | undefined },
  newest: Newest<R>,
): Promise<Listed<R>> {
  const limit = request.pageSize;
  if (request.keywords !== '' && request.cursor !== undefined)
    return searchPart(newest, readCursor(request.cursor), limit);
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

/** Searches the ranges after `position` until it has found `limit` rows. */
async function searchPart<R extends Row>(
  { findStart, list }: Newest<R>,
  position: Position,
  limit: number,
): Promise<Listed<R>> {
  const rows: R[] = [];
  let next: Position | null = position;
  for (let ranges = 0; next && rows.length < limit && ranges < RANGES_PER_PART; ranges++) {
    const start = await findStart(next);
    const range = { from: start ?? ALL.from, before: next };
    const wanted = limit - rows.length;
    const found = await list(range, { offset: 0, limit: wanted + 1, among: null });
    rows.push(...found.slice(0, wanted));
    const last = found.length > wanted ? rows.at(-1) : undefined;
    if (last) next = { time: last.create_time, id: last.id };
    else next = start === null ? null : { time: start, id: '' };
    await setImmediate();
  }
  return { rows, total: rows.length, next };
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
    before = { time: start, id: '' };
    await setImmediate();
  }
}
