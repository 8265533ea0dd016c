import type { Insertable } from 'kysely';
import type { ReportKind } from '../../contract/rules/report-reasons.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { countOf, isFound, readPage, TOTAL } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { ReportsTable } from '../db/schema/staff-schema.ts';
import { visibleTo, type Reader } from '../db/visibility.ts';
import type { PageRequest } from '../shared/paging.ts';

/** Adds a report; a reader's second one of an item breaks a unique constraint. */
export async function insertReport(trx: Trx, row: Insertable<ReportsTable>): Promise<void> {
  await trx.insertInto('reports').values(row).execute();
}

export const hasReported = (
  trx: Trx,
  { kind, id, reporterId }: { kind: ReportKind; id: string; reporterId: string },
): Promise<boolean> =>
  isFound(
    trx
      .selectFrom('reports')
      .select('id')
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', id)
      .where('reporter_id', '=', reporterId),
  );

/** Returns the author of an article that the reader sees; undefined for any other. */
export async function findArticleAuthor(db: Queryable, id: string, reader: Reader) {
  const row = await db
    .selectFrom('articles')
    .select('author_id')
    .where('id', '=', id)
    .where(visibleTo(reader))
    .executeTakeFirst();
  return row?.author_id;
}

/** Returns the author of a comment below an article that the reader sees; undefined for any other. */
export async function findCommentAuthor(db: Queryable, id: string, reader: Reader) {
  const row = await db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .select('comments.author_id')
    .where('comments.id', '=', id)
    .where(visibleTo(reader))
    .executeTakeFirst();
  return row?.author_id;
}

const selectOpen = (db: Queryable) => db.selectFrom('reports').where('decision', '=', '');

const countingOpen = (db: Queryable) =>
  db.selectFrom(selectOpen(db).select(['subject_kind', 'subject_id']).distinct().as('things')).select(TOTAL);

/** Number of items with undecided reports. */
export const countOpen = (db: Queryable): Promise<number> => countOf(countingOpen(db));

export function readOpen(db: Queryable, request: PageRequest) {
  const listing = selectOpen(db)
    .select(['subject_kind as kind', 'subject_id as id'])
    .select((eb) => eb.fn.min('create_time').as('first'))
    .groupBy(['subject_kind', 'subject_id'])
    .orderBy('first')
    .orderBy('subject_id');
  return readPage(request, countingOpen(db), listing);
}

export const listReportsOf = (db: Queryable, kind: ReportKind, id: string, limit: number) =>
  selectOpen(db)
    .innerJoin('users', 'users.id', 'reports.reporter_id')
    .select(['users.username as reporter', 'reports.reason', 'reports.note', 'reports.create_time'])
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .orderBy('reports.create_time', 'desc')
    .limit(literal(limit))
    .execute();

/** Text and author of a reported item; null if it is gone. */
export async function describeThing(db: Queryable, kind: ReportKind, id: string) {
  if (kind === 'user') {
    const row = await db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst();
    return row ? { text: row.username, author: row.username, page_id: '' } : null;
  }
  if (kind === 'article') {
    const row = await db
      .selectFrom('articles')
      .innerJoin('users', 'users.id', 'articles.author_id')
      .select(['articles.title as text', 'users.username as author', 'articles.id as page_id'])
      .where('articles.id', '=', id)
      .where((eb) => eb.or([eb('articles.is_public', '=', 1), eb('articles.moderation', '<>', '')]))
      .executeTakeFirst();
    return row ?? null;
  }
  const find = (table: 'comments' | 'withheld_comments') =>
    db
      .selectFrom(`${table} as comments` as 'comments')
      .innerJoin('articles', 'articles.id', 'comments.article_id')
      .innerJoin('users', 'users.id', 'comments.author_id')
      .select(['comments.content as text', 'users.username as author', 'comments.article_id as page_id'])
      .where('comments.id', '=', id)
      .where((eb) => eb.or([eb('articles.is_public', '=', 1), eb('articles.moderation', '<>', '')]))
      .executeTakeFirst();
  return (await find('comments')) ?? (await find('withheld_comments')) ?? null;
}

export async function decideReports(
  trx: Trx,
  { kind, id }: { kind: ReportKind; id: string },
  decision: 'upheld' | 'dismissed',
  instant: number,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('reports')
    .set({ decision, decided_time: instant })
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .where('decision', '=', '')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
