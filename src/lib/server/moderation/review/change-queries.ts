import { FIELD_NAMES, fieldsFromColumns } from '../../../contract/rules/authored-fields.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { among, firstOf, isChanged } from '../../db/lists.ts';
import type { PendingChangesTable } from '../../db/schema/moderation-schema.ts';

type Kind = PendingChangesTable['kind'];

export const findChange = (db: Queryable, kind: Kind, id: string): Promise<PendingChangesTable | null> =>
  firstOf(db.selectFrom('pending_changes').selectAll().where('kind', '=', kind).where('id', '=', id));

export async function findChanges(db: Queryable, kind: Kind, ids: readonly string[]) {
  const changes = db.selectFrom('pending_changes').selectAll().where('kind', '=', kind);
  const rows = await among(ids, (some) => changes.where('id', 'in', some));
  return new Map(rows.map((row) => [row.id, row]));
}

export async function putChange(trx: Trx, row: PendingChangesTable): Promise<void> {
  const { kind: _, id: __, ...changes } = row;
  await trx
    .insertInto('pending_changes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(changes))
    .execute();
}

export const deleteChange = (trx: Trx, kind: Kind, id: string): Promise<boolean> =>
  isChanged(trx.deleteFrom('pending_changes').where('kind', '=', kind).where('id', '=', id));

/**
 * Sets the publication on which the unpublished revision of an article is based, if it was `from`: staff has
 * published a change that the author did not see.
 */
export async function rebaseRevision(trx: Trx, articleId: string, from: number, to: number): Promise<void> {
  await trx
    .updateTable('article_revisions')
    .set({ base_time: to })
    .where('article_id', '=', articleId)
    .where('base_time', '=', from)
    .execute();
}

/** Sets the article's time of the synced file that became the revision of `from`, which staff published. */
export async function rebaseFile(trx: Trx, articleId: string, from: number, to: number): Promise<void> {
  await trx
    .updateTable('synced_files')
    .set({ article_time: to, revision_time: 0 })
    .where('kind', '=', 'article')
    .where('target', '=', articleId)
    .where('revision_time', '=', from)
    .execute();
}

/** A public article as its change was typed on, with its unpublished revision; null if it is not public. */
export const findBase = (db: Queryable, id: string) =>
  firstOf(
    db
      .selectFrom('articles')
      .innerJoin('users', 'users.id', 'articles.author_id')
      .leftJoin('article_revisions', 'article_revisions.article_id', 'articles.id')
      .select(['users.username', 'articles.update_time'])
      .select('article_revisions.update_time as revision_time')
      .where('articles.id', '=', id)
      .where('articles.is_public', '=', 1),
  );

/** The fields of an article's unpublished revision, or null. */
export async function findRevised(db: Queryable, id: string) {
  const row = await firstOf(
    db.selectFrom('article_revisions').select(FIELD_NAMES).where('article_id', '=', id),
  );
  return row && fieldsFromColumns(row, FIELD_NAMES);
}
