import { batchesOf } from '../../../shared/batches.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { firstValue, isChanged } from '../../db/lists.ts';
import type { ImportsTable } from '../../db/schema/schema.ts';

const SOURCE_BATCH_SIZE = 200;

export type ImportRow = Pick<ImportsTable, 'source' | 'article_id' | 'digest'>;

export async function listImports(db: Queryable, ownerId: string): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .select(['source', 'article_id', 'digest'])
    .where('owner_id', '=', ownerId)
    .orderBy('source')
    .execute();
}

export async function insertImports(trx: Trx, rows: readonly ImportsTable[]): Promise<void> {
  for (const row of rows) {
    await trx
      .insertInto('imports')
      .values(row)
      .onConflict((conflict) => conflict.columns(['owner_id', 'source']).doNothing())
      .execute();
  }
}

/** Replaces a row that still equals `former`; returns false if it does not. */
export async function replaceImport(
  trx: Trx,
  place: { owner_id: string; source: string },
  former: { article_id: string; digest: string },
  row: { article_id: string; digest: string },
): Promise<boolean> {
  return isChanged(
    trx
      .updateTable('imports')
      .set(row)
      .where('owner_id', '=', place.owner_id)
      .where('source', '=', place.source)
      .where('article_id', '=', former.article_id)
      .where('digest', '=', former.digest),
  );
}

/** Returns the imports from `sources`, of any owner, by source. */
export async function findSources(db: Queryable, sources: readonly string[]) {
  const found = new Map<string, ImportsTable>();
  for await (const some of batchesOf(sources, SOURCE_BATCH_SIZE)) {
    const rows = await db.selectFrom('imports').selectAll().where('source', 'in', some).execute();
    for (const row of rows) found.set(row.source, row);
  }
  return found;
}

export async function listImportedUsers(db: Queryable, prefix: string) {
  return db
    .selectFrom('imports')
    .innerJoin('users', 'users.id', 'imports.article_id')
    .select(['imports.source', 'imports.digest', 'users.id', 'users.username', 'users.avatar'])
    .where('imports.source', '>=', prefix)
    .where('imports.source', '<', `${prefix}\u{10ffff}`)
    .execute();
}

/** Returns the name of the stored file that was imported from a source, or null. */
export const findPicture = (db: Queryable, ownerId: string, source: string): Promise<string | null> =>
  firstValue(
    db
      .selectFrom('imports')
      .select('article_id')
      .where('owner_id', '=', ownerId)
      .where('source', '=', source),
  );

export async function insertSource(trx: Trx, row: ImportsTable): Promise<void> {
  await trx.insertInto('imports').values(row).execute();
}

/** Returns the author of a comment, also of a pending or hidden one; null if no comment has that id. */
export async function findCommentAuthor(db: Queryable, id: string): Promise<string | null> {
  for (const table of ['comments', 'withheld_comments'] as const) {
    const comments = db.selectFrom(table as 'comments').select('author_id');
    const authorId = await firstValue(comments.where('id', '=', id));
    if (authorId !== null) return authorId;
  }
  return null;
}
