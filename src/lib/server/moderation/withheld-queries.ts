import { sql } from 'kysely';
import type { HoldReason } from '../../contract/rules/moderation.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { WithheldItemsTable } from '../db/schema/moderation-schema.ts';
import { TOTAL, among, countOf, firstOf, valuesOf } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { Flag } from '../db/schema/schema.ts';
import { isModerated, PUBLIC } from '../db/visibility.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';

type Kind = WithheldItemsTable['kind'];
export type WithheldItem = WithheldItemsTable & { words: string };

/** Stores that an item is pending, hidden or deleted, and why. Replaces an earlier state and its reasons. */
export async function putWithheld(
  trx: Trx,
  {
    reasons,
    words = [],
    ...item
  }: Omit<WithheldItemsTable, 'reasons'> & { reasons: readonly HoldReason[]; words?: readonly string[] },
): Promise<void> {
  const { kind, id, ...stored } = item;
  const changes = { ...stored, reasons: JSON.stringify(reasons), words: JSON.stringify(words) };
  await trx
    .insertInto('withheld_items')
    .values({ kind, id, ...changes })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(changes))
    .execute();
}

export async function changeWithheld(
  trx: Trx,
  kind: Kind,
  id: string,
  changes: Partial<Pick<WithheldItemsTable, 'state' | 'reasons'> & { words: string }>,
): Promise<void> {
  await trx
    .updateTable('withheld_items')
    .set(changes)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute();
}

export async function deleteWithheld(trx: Trx, kind: Kind, id: string): Promise<void> {
  await trx.deleteFrom('withheld_items').where('kind', '=', kind).where('id', '=', id).execute();
}

export async function findWithheld(db: Queryable, kind: Kind, ids: readonly string[]) {
  const items = db.selectFrom('withheld_items').selectAll().where('kind', '=', kind);
  const rows = await among(ids, (some) => items.where('id', 'in', some));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Pending items. Excludes articles that their authors keep private. */
const selectHeld = (db: Queryable) =>
  db
    .selectFrom('withheld_items')
    .select(['kind', 'id', 'reasons', 'words', 'create_time', sql.lit<Flag>(0).as('is_change')])
    .where('state', '=', 'held')
    .where((eb) =>
      eb.or([
        eb('kind', '=', 'comment'),
        eb.exists(
          eb
            .selectFrom('articles')
            .select('articles.id')
            .whereRef('articles.id', '=', 'withheld_items.id')
            .where(isModerated),
        ),
      ]),
    );

/** Pending changes of items that readers see. */
const changesOf = (db: Queryable) =>
  db
    .selectFrom('pending_changes')
    .where('state', '=', 'held')
    .where((eb) =>
      eb
        .case('kind')
        .when('comment')
        .then(
          eb.exists(
            eb
              .selectFrom('comments')
              .select('comments.id')
              .whereRef('comments.id', '=', 'pending_changes.id'),
          ),
        )
        .else(
          eb.exists(
            eb
              .selectFrom('articles')
              .select('articles.id')
              .whereRef('articles.id', '=', 'pending_changes.id')
              .where('is_public', '=', PUBLIC),
          ),
        )
        .end(),
    );

const selectChanges = (db: Queryable) =>
  changesOf(db)
    .select(['kind', 'id', 'reasons', sql.lit('[]').as('words')])
    .select(['create_time', sql.lit<Flag>(1).as('is_change')]);

export type HeldFilter = Kind | 'change' | '';

/** Counts the pending items of `selectHeld` and `selectChanges`, those of items from indexes alone. */
async function countPending(db: Queryable, filter: HeldFilter): Promise<number> {
  const held = db.selectFrom('withheld_items').select(TOTAL).where('state', '=', 'held');
  const counts = {
    comment: held.where('kind', '=', 'comment'),
    article: held
      .where('kind', '=', 'article')
      .where('id', 'in', (eb) => eb.selectFrom('articles').select('articles.id').where(isModerated)),
    change: changesOf(db).select(TOTAL),
  };
  const counted = await Promise.all((filter === '' ? Object.values(counts) : [counts[filter]]).map(countOf));
  return counted.reduce((sum, count) => sum + count, 0);
}

/** Reads a page of pending items, oldest first; of each table only the rows that the page needs. */
export async function readHeld(db: Queryable, { kind, ...request }: PageRequest & { kind: HeldFilter }) {
  const total = await countPending(db, kind);
  const { offset } = locatePage(request, total);
  const end = literal(offset + request.pageSize);
  const isOneKind = kind === 'article' || kind === 'comment';
  const items = (isOneKind ? selectHeld(db).where('kind', '=', kind) : selectHeld(db))
    .orderBy('create_time')
    .orderBy('kind')
    .orderBy('id')
    .limit(end);
  const changes = selectChanges(db).orderBy('create_time').orderBy('kind').orderBy('id').limit(end);
  const first = db.selectFrom((kind === 'change' ? changes : items).as('some')).selectAll();
  const all = kind === '' ? first.unionAll(db.selectFrom(changes.as('some')).selectAll()) : first;
  const rows = await db
    .selectFrom(all.as('pending'))
    .selectAll()
    .orderBy('create_time')
    .orderBy('kind')
    .orderBy('id')
    .orderBy('is_change')
    .offset(literal(offset))
    .limit(literal(request.pageSize))
    .execute();
  return { rows, total };
}

export const countHeld = (db: Queryable): Promise<number> => countPending(db, '');

export const listDeletedUntil = (trx: Trx, until: number, limit: number): Promise<string[]> =>
  valuesOf(
    trx
      .selectFrom('withheld_items')
      .select('id')
      .where('state', '=', 'deleted')
      .where('kind', '=', 'comment')
      .where('create_time', '<=', until)
      .limit(literal(limit)),
  );

const selectModerated = (db: Queryable) =>
  db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['articles.id', 'articles.author_id', 'articles.status', 'articles.moderation'])
    .select('articles.wanted_secret')
    .select(['articles.title', 'articles.summary', 'users.username', 'users.display_name']);

export const findModerated = (db: Queryable, id: string) =>
  firstOf(selectModerated(db).where('articles.id', '=', id));

export async function listModerated(db: Queryable, ids: readonly string[]) {
  const rows = await among(ids, (some) => selectModerated(db).where('articles.id', 'in', some));
  return new Map(rows.map((row) => [row.id, row]));
}
