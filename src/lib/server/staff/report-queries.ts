import { sql, type Insertable } from 'kysely';
import type { ReportKind } from '../../contract/rules/report-reasons.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, countChanged, countOf, firstValue, isFound, readPage } from '../db/lists.ts';
import type { ReportsTable } from '../db/schema/staff-schema.ts';
import { visibleTo, type Reader } from '../db/visibility.ts';
import type { PageRequest } from '../shared/paging.ts';
import { idsIn } from '../shared/ids.ts';

/** A user, or the address of a visitor. */
export type Reporter = { reporter_id: string } | { email: string };

/** Adds a report; a reader's second one of an item breaks a unique constraint. */
export async function insertReport(trx: Trx, row: Insertable<ReportsTable>): Promise<void> {
  await trx.insertInto('reports').values(row).execute();
}

export const hasReported = (trx: Trx, { kind, id, by }: Thing & { by: Reporter }): Promise<boolean> =>
  isFound(
    trx
      .selectFrom('reports')
      .select('id')
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', id)
      .where((eb) => ('email' in by ? eb('email', '=', by.email) : eb('reporter_id', '=', by.reporter_id))),
  );

/** Number of reports that a visitor's address has made since a time. */
export const countByEmail = (db: Queryable, email: string, since: number): Promise<number> =>
  countOf(db.selectFrom('reports').select(TOTAL).where('email', '=', email).where('create_time', '>', since));

/** Users and addresses that wait for the answer to their reports of an item. */
export const listReporters = (db: Queryable, { kind, id }: Thing) =>
  selectOpen(db)
    .select(['reporter_id', 'email', 'reason'])
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .execute();

/** Returns the author of an article that the reader sees; null for any other. */
export const findArticleAuthor = (db: Queryable, id: string, reader: Reader | null): Promise<string | null> =>
  firstValue(db.selectFrom('articles').select('author_id').where('id', '=', id).where(visibleTo(reader)));

/** Returns the author of a comment below an article that the reader sees; null for any other. */
export const findCommentAuthor = (db: Queryable, id: string, reader: Reader | null): Promise<string | null> =>
  firstValue(
    db
      .selectFrom('comments')
      .innerJoin('articles', 'articles.id', 'comments.article_id')
      .select('comments.author_id')
      .where('comments.id', '=', id)
      .where(visibleTo(reader)),
  );

const selectOpen = (db: Queryable) => db.selectFrom('reports').where('decision', '=', '');

const countingOpen = (db: Queryable) =>
  db.selectFrom(selectOpen(db).select(['subject_kind', 'subject_id']).distinct().as('things')).select(TOTAL);

/** Number of items with undecided reports. */
export const countOpen = (db: Queryable): Promise<number> => countOf(countingOpen(db));

export function readOpen(db: Queryable, request: PageRequest) {
  const listing = selectOpen(db)
    .select(['subject_kind as kind', 'subject_id as id'])
    .select((eb) => [eb.fn.min('create_time').as('first'), eb.fn.countAll<number>().as('report_num')])
    .groupBy(['subject_kind', 'subject_id'])
    .orderBy('first')
    .orderBy('subject_id');
  return readPage(request, countingOpen(db), listing);
}

export interface Thing {
  kind: ReportKind;
  id: string;
}

export const keyOf = ({ kind, id }: Thing): string => `${kind} ${id}`;

type ShownReport = Pick<ReportsTable, 'reason' | 'note' | 'create_time'> & {
  reporter: string | null;
  reporter_name: string | null;
  email: string;
};

/** The newest undecided reports of each of `things`, at most `limit` each, by key. */
export async function listReportsOf(
  db: Queryable,
  things: readonly Thing[],
  limit: number,
): Promise<Map<string, ShownReport[]>> {
  if (things.length === 0) return new Map();
  const newest = selectOpen(db)
    .leftJoin('users', 'users.id', 'reports.reporter_id')
    .select(['subject_kind as kind', 'subject_id as id', 'reports.email'])
    .select([
      'users.username as reporter',
      'users.display_name as reporter_name',
      'reports.reason',
      'reports.note',
      'reports.create_time',
    ])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) =>
          over.partitionBy(['subject_kind', 'subject_id']).orderBy('reports.create_time', 'desc'),
        )
        .as('number'),
    )
    .where(
      'subject_kind',
      'in',
      things.map(({ kind }) => kind),
    )
    .where('subject_id', 'in', idsIn(things));
  const rows = await db
    .selectFrom(newest.as('newest'))
    .selectAll()
    .where('number', '<=', limit)
    .orderBy('number')
    .execute();
  return Map.groupBy(rows, keyOf);
}

export interface Described {
  text: string;
  author: string;
  /** Display name of the author; '' for none. */
  author_name: string;
  page_id: string;
}

const describeUsers = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('users')
    .select(['id', 'username as text', 'username as author', 'display_name as author_name'])
    .select(sql<string>`''`.as('page_id'))
    .where('id', 'in', ids)
    .execute();

const describeArticles = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['articles.id', 'articles.title as text', 'articles.id as page_id'])
    .select(['users.username as author', 'users.display_name as author_name'])
    .where('articles.id', 'in', ids)
    .where((eb) => eb.or([visibleTo(null)(eb), eb('articles.moderation', '<>', '')]))
    .execute();

async function describeComments(db: Queryable, ids: readonly string[]) {
  const find = (table: 'comments' | 'withheld_comments') =>
    db
      .selectFrom(`${table} as comments` as 'comments')
      .innerJoin('articles', 'articles.id', 'comments.article_id')
      .innerJoin('users', 'users.id', 'comments.author_id')
      .select(['comments.id', 'comments.content as text'])
      .select(['users.username as author', 'users.display_name as author_name'])
      .select('comments.article_id as page_id')
      .where('comments.id', 'in', ids)
      .where((eb) => eb.or([visibleTo(null)(eb), eb('articles.moderation', '<>', '')]))
      .execute();
  return [...(await find('comments')), ...(await find('withheld_comments'))];
}

const DESCRIBE = { user: describeUsers, article: describeArticles, comment: describeComments };

/** Text and author of reported items, by key; missing ones are gone. */
export async function describeThings(db: Queryable, things: readonly Thing[]) {
  const found = new Map<string, Described>();
  for (const kind of ['user', 'article', 'comment'] as const) {
    const ids = things.filter((thing) => thing.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const { id, ...described } of await DESCRIBE[kind](db, ids))
      found.set(keyOf({ kind, id }), described);
  }
  return found;
}

/** Records the decision on the open reports of an item; returns how many there were. */
export const decideReports = (
  trx: Trx,
  { kind, id }: Thing,
  decision: 'upheld' | 'dismissed',
  instant: number,
): Promise<number> =>
  countChanged(
    trx
      .updateTable('reports')
      .set({ decision, decided_time: instant })
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', id)
      .where('decision', '=', ''),
  );
