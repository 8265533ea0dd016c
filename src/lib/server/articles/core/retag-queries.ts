import type { Queryable, Trx } from '../../db/database.ts';
import { literal } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema/schema.ts';
import { STATE_COLUMNS } from './article-queries.ts';

export type Renaming = Pick<Schema['tag_aliases'], 'name' | 'tag_id' | 'former_id'> & { next_seq: number };

export async function findRenaming(db: Queryable, name?: string): Promise<Renaming | null> {
  let query = db
    .selectFrom('tag_aliases')
    .select(['name', 'tag_id', 'former_id', 'next_seq'])
    .where('next_seq', 'is not', null);
  if (name !== undefined) query = query.where('name', '=', name);
  const row = await query.orderBy('create_time').orderBy('name').limit(literal(1)).executeTakeFirst();
  return row && row.next_seq !== null ? { ...row, next_seq: row.next_seq } : null;
}

/** Returns a LIKE pattern for `name` in a JSON list of names; it may match too much. */
const patternOf = (name: string) => `%${JSON.stringify(name).replaceAll(/[\\%_]/g, String.raw`_`)}%`;

/**
 * Lists articles in a range of `seq` that use `name` themselves or in their revision, deleted ones included.
 */
export const listNaming = (
  db: Queryable,
  name: string,
  { after, until, limit }: { after: number; until: number; limit: number },
) =>
  db
    .selectFrom('articles')
    .leftJoin('article_revisions', 'article_revisions.article_id', 'articles.id')
    .select(['articles.seq', 'articles.id'])
    .where('articles.seq', '>', after)
    .where('articles.seq', '<=', until)
    .where((eb) =>
      eb.or([
        eb('articles.tags', 'like', patternOf(name)),
        eb('article_revisions.tags', 'like', patternOf(name)),
      ]),
    )
    .orderBy('articles.seq')
    .limit(literal(limit))
    .execute();

export const getNamed = (trx: Trx, id: string) =>
  trx
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .leftJoin('article_revisions', 'article_revisions.article_id', 'articles.id')
    .select(STATE_COLUMNS.map((column) => `articles.${column}` as const))
    .select(['users.username', 'article_revisions.tags as revised'])
    .where('articles.id', '=', id)
    .executeTakeFirst();

export async function putRevisedNames(trx: Trx, id: string, tags: string): Promise<void> {
  await trx.updateTable('article_revisions').set({ tags }).where('article_id', '=', id).execute();
}

/** Records that articles up to `seq` are done; null ends the renaming and deletes the merged tag. */
export async function noteRenamed(trx: Trx, { name, former_id }: Renaming, seq: number | null) {
  await trx.updateTable('tag_aliases').set({ next_seq: seq }).where('name', '=', name).execute();
  if (seq !== null || former_id === null) return;
  await trx.updateTable('tag_aliases').set({ former_id: null }).where('name', '=', name).execute();
  await trx.deleteFrom('tags').where('id', '=', former_id).execute();
}
