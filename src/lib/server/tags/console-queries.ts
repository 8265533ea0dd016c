import { sql, type ExpressionBuilder } from 'kysely';
import type { CallInput } from '../../contract/calls/calls.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { contains, firstOf, readPage, TOTAL } from '../db/lists.ts';
import type { Flag, Schema } from '../db/schema/schema.ts';
import type { CleanText } from '../shared/clean-text.ts';

const LISTED = sql.lit<Flag>(1);

const isNamedBy = (eb: ExpressionBuilder<Schema, 'tags'>) =>
  eb.selectFrom('article_tags').select('article_id').whereRef('article_tags.tag_id', '=', 'tags.id');

/** Lists tags with the most public articles first; `is_used` counts drafts and secret articles too. */
export function readTags(db: Queryable, filter: CallInput<'staffTags'>) {
  const { keywords, show } = filter;
  let query = db.selectFrom('tags').where('tags.is_listed', '=', LISTED);
  if (keywords !== '')
    query = query.where((eb) =>
      eb.or([
        contains(keywords, 'tags.name', 'tags.description'),
        eb.exists(
          eb
            .selectFrom('tag_aliases')
            .select('tag_aliases.name')
            .whereRef('tag_aliases.tag_id', '=', 'tags.id')
            .where(contains(keywords, 'tag_aliases.name')),
        ),
      ]),
    );
  if (show === 'used') query = query.where('tags.page_num', '>', 0);
  if (show === 'empty') query = query.where('tags.page_num', '=', 0);
  if (show === 'undescribed') query = query.where('tags.description', '=', '');
  const listing = query
    .innerJoin('users', 'users.id', 'tags.creator_id')
    .select(['tags.id', 'tags.name', 'tags.description', 'tags.create_time', 'tags.page_num'])
    .select('users.username')
    .select((eb) => eb.exists(isNamedBy(eb)).as('is_used'))
    .orderBy('tags.page_num', 'desc')
    .orderBy('tags.id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}

export async function listAliases(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('tag_aliases')
    .select(['name', 'tag_id', 'next_seq'])
    .where('tag_id', 'in', [...ids])
    .orderBy('create_time')
    .orderBy('name')
    .execute();
}

export async function findListed(db: Queryable, by: { id: string } | { name: string }) {
  const query = db
    .selectFrom('tags')
    .select(['id', 'name', 'description', 'creator_id', 'page_num'])
    .select((eb) => eb.exists(isNamedBy(eb)).as('is_used'))
    .where('is_listed', '=', LISTED);
  const found = 'id' in by ? query.where('id', '=', by.id) : query.where('name', '=', by.name);
  const row = await found.executeTakeFirst();
  return row ? { ...row, is_used: Boolean(row.is_used) } : null;
}

export type ListedTag = NonNullable<Awaited<ReturnType<typeof findListed>>>;

export const findAliased = (db: Queryable, name: string): Promise<{ tag_id: string } | null> =>
  firstOf(db.selectFrom('tag_aliases').select('tag_id').where('name', '=', name));

export async function changeTag(
  trx: Trx,
  id: string,
  changes: { name: CleanText } | { description: CleanText },
  now: number,
): Promise<void> {
  await trx
    .updateTable('tags')
    .set({ ...changes, update_time: now })
    .where('id', '=', id)
    .execute();
}

/** Makes a name an alias of the tag `tag_id`, together with all aliases of `former_id`. */
export async function putAlias(
  trx: Trx,
  alias: { name: string; tag_id: string; former_id: string | null; create_time: number },
): Promise<void> {
  await trx
    .insertInto('tag_aliases')
    .values({ ...alias, next_seq: 0 })
    .execute();
  if (alias.former_id === null) return;
  await trx
    .updateTable('tag_aliases')
    .set({ tag_id: alias.tag_id })
    .where('tag_id', '=', alias.former_id)
    .execute();
}

export async function deleteAlias(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('tag_aliases').where('name', '=', name).execute();
}

/** Removes a tag that is being merged from all lists; it is deleted once no article uses it. */
export async function unlist(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('tags').set({ is_listed: 0 }).where('id', '=', id).execute();
}

export async function deleteTag(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('tags').where('id', '=', id).execute();
}
